import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { functionTools, type Registry } from '../core/agent/registry';
import { modelTimeoutSeconds } from '../statemachines/agent-loop';
import { ApiKey } from './functions/api-key';
import { ConversationTable, partition } from './functions/conversation-table';
import { Embeddings } from './functions/embeddings';
import { describeModels, grantBedrock, reachProviders } from './functions/model-providers';
import { toolFunctions } from './functions/tool-functions';
import { VigilFunction, type VigilFunctionProps } from './functions/vigil-function';
import { WebhookKey } from './functions/webhook-key';
import { Events } from './live/events';
import { LiveView } from './live/live-view';
import { Machines } from './machines/machines';
import { ReconcileSchedule } from './machines/reconcile-schedule';
import { RelayStream } from './machines/safety-nets';
import { Undelivered } from './machines/undelivered';
import { FrontDoor } from './page/front-door';
import { Page } from './page/page';
import { UserDirectory } from './page/user-directory';
import { apiVariables, modelVariables, type Settings, toolVariables } from './settings';

export interface VigilStackProps extends StackProps {
  agents: Registry;
  /** The folder of the bundles. */
  bundles: string;
  settings: Settings;
  /** The folder of the built page, if the stack hosts it. */
  page?: string;
}

/** All resources of Vigil in one account and region. */
export class VigilStack extends Stack {
  constructor(scope: Construct, id: string, { agents, bundles, settings, page, ...props }: VigilStackProps) {
    super(scope, id, props);
    const table = new ConversationTable(this, 'Conversations', {
      deletionProtection: Boolean(this.node.tryGetContext('deletionProtection')),
    });
    const modelKey = new ApiKey(this, 'ModelKey', {
      variable: 'OPENAI_API_KEY',
      of: 'The API key of the model’s server',
    });
    const webhookKey = new WebhookKey(this, 'WebhookKey');
    const users = new UserDirectory(this, 'Users', settings);
    const machine = settings.machines ? users.addMachine() : undefined;
    const door = new FrontDoor(this, 'FrontDoor', { origins: settings.webOrigins });
    const events = new Events(this, 'Events');
    const undelivered = new Undelivered(this, 'Undelivered');
    const live = new LiveView(this, 'Live', { bundles, table, events, settings, undelivered });
    const environment: Record<string, string> = { TABLE_NAME: table.name };
    const fn = (id: string, description: string, more: Partial<VigilFunctionProps> = {}) =>
      new VigilFunction(this, id, { description, bundles, environment, ...more });

    const callModel = fn('CallModel', 'One step of an agent: calls the model and stores its reply', {
      timeoutSeconds: modelTimeoutSeconds,
      memoryMiB: 512,
      environment: { ...environment, ...modelVariables(settings), MODEL_KEY_SECRET_ARN: modelKey.arn },
    });
    const providerKeys = reachProviders(this, callModel, { providers: agents.providers, settings, modelKey });
    const embeddings = new Embeddings(this, settings, modelKey);
    embeddings.reach(callModel);
    grantBedrock(this, callModel, agents.agents.values());
    describeModels(this, agents.agents.values(), settings, new Date());
    const ask = fn('Ask', 'Stores the task token of a callback with its question');
    const settle = fn('Settle', 'Ends runs, timers and rollbacks whose execution did not end by itself');
    const fireTimer = fn('FireTimer', 'Puts a timer’s message into its conversation');
    const nextUndo = fn('NextUndo', 'Chooses what a rollback undoes next');
    const ofTools = { ...environment, ...toolVariables(settings) };
    const shared = { bundles, table, environment: ofTools, settings, webhookKey, embeddings, apiUrl: door.url };
    const tools = toolFunctions(this, { ...shared, keys: providerKeys, tools: functionTools(agents) });
    const driven = { CallModel: callModel, Ask: ask, Settle: settle, FireTimer: fireTimer, NextUndo: nextUndo };
    const functions = { ...driven, ...tools };
    const machines = new Machines(this, 'Machines', { agents, functions, settle, undelivered });

    const driving = { ...environment, ...machines.variables };
    const api = fn('Api', 'The HTTP API', {
      timeoutSeconds: 29,
      memoryMiB: 512,
      environment: {
        ...driving,
        ...live.variables,
        ...live.notices.key.variables,
        ...apiVariables(settings),
        WEBHOOK_KEY_SECRET_ARN: webhookKey.arn,
      },
    });
    const relay = fn('Relay', 'Performs actions that are committed and perhaps not done yet', {
      timeoutSeconds: 60,
      environment: driving,
    });
    new RelayStream(this, 'RelayStream', { table, relay, undelivered });
    const reconcile = fn('Reconcile', 'Starts again what the table has and Step Functions has lost', {
      // Step Functions limits how fast it is asked.
      timeoutSeconds: 900,
      environment: driving,
    });
    new ReconcileSchedule(this, 'ReconcileSchedule', { reconcile });
    const hosted = page && new Page(this, 'Page', { folder: page, users, apiUrl: door.url, liveUrl: live.url });
    if (hosted) live.notices.leadTo(hosted.url);
    door.leadTo(api, users);

    for (const one of [callModel, api])
      table.grant(
        one,
        [partition.conversations, partition.users, partition.counts],
        'GetItem',
        'Query',
        'PutItem',
        'UpdateItem',
      );
    for (const one of [settle, fireTimer, nextUndo, relay])
      table.grant(one, [partition.conversations, partition.counts], 'GetItem', 'Query', 'PutItem', 'UpdateItem');
    table.grant(
      reconcile,
      [partition.conversations, partition.counts, partition.own],
      ...(['GetItem', 'Query', 'PutItem', 'UpdateItem'] as const),
    );
    table.grantSweep(reconcile);
    table.grant(ask, [partition.conversations], 'GetItem', 'UpdateItem');
    table.grantLists(api);
    modelKey.grantRead(callModel);
    webhookKey.grantRead(api);
    live.notices.key.grantRead(api);
    live.grantTickets(api);
    machines.grantDrive(api, relay, reconcile);
    machines.grantFind(reconcile);
    machines.loop.grantAnswer(ask);

    const outputs = {
      ApiUrl: door.url,
      ...(hosted && { PageUrl: hosted.url }),
      UserPoolId: users.poolId,
      UserPoolClientId: users.clientId,
      ...(machine && { MachineClientId: machine.clientId, TokenUrl: machine.tokenUrl }),
      StateMachineArn: machines.loop.arn,
      TableName: table.name,
      EventBusName: events.busName,
      UndeliveredQueueUrl: undelivered.url,
      ReconcileFunctionName: reconcile.functionName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    new CfnOutput(this, 'ModelKeySecretName', { value: modelKey.name, description: modelKey.howToSet });
  }
}
