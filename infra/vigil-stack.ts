import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { functionTools, type Registry } from '../core/registry';
import { modelTimeoutSeconds } from '../statemachines/agent-loop';
import { AgentLoopMachine } from './agent-loop-machine';
import { ApiKey } from './api-key';
import { ConversationTable } from './conversation-table';
import { FrontDoor } from './front-door';
import { RelayStream, SettleRule } from './safety-nets';
import { modelVariables, type Settings } from './settings';
import { toolFunctions } from './tool-functions';
import { UserDirectory } from './user-directory';
import { VigilFunction } from './vigil-function';

export interface VigilStackProps extends StackProps {
  agents: Registry;
  /** The folder that the bundler filled. */
  bundles: string;
  settings: Settings;
}

/** All of Vigil in one account and region. */
export class VigilStack extends Stack {
  constructor(scope: Construct, id: string, { agents, bundles, settings, ...props }: VigilStackProps) {
    super(scope, id, props);
    const table = new ConversationTable(this, 'Conversations', {
      deletionProtection: Boolean(this.node.tryGetContext('deletionProtection')),
    });
    const modelKey = new ApiKey(this, 'ModelKey', {
      variable: 'OPENAI_API_KEY',
      of: 'The API key of the model’s server',
    });
    const users = new UserDirectory(this, 'Users');

    const shared = { TABLE_NAME: table.name };

    const callModel = new VigilFunction(this, 'CallModel', {
      description: 'One step of an agent: calls the model and stores what it said',
      bundles,
      timeoutSeconds: modelTimeoutSeconds,
      memoryMiB: 512,
      environment: { ...shared, ...modelVariables(settings), MODEL_KEY_SECRET_ARN: modelKey.arn },
    });
    const ask = new VigilFunction(this, 'Ask', {
      description: 'Stores the task token of a callback with its question',
      bundles,
      environment: shared,
    });
    const settle = new VigilFunction(this, 'Settle', {
      description: 'Ends the run of an execution that does not end it by itself',
      bundles,
      environment: shared,
    });
    const machine = new AgentLoopMachine(this, 'AgentLoop', {
      tools: [...agents.tools.values()],
      functions: {
        CallModel: callModel,
        Ask: ask,
        Settle: settle,
        ...toolFunctions(this, { tools: functionTools(agents), bundles, table, environment: shared, settings }),
      },
    });

    const driving = { ...shared, STATE_MACHINE_ARN: machine.arn };
    const api = new VigilFunction(this, 'Api', {
      description: 'The HTTP API',
      bundles,
      timeoutSeconds: 29,
      memoryMiB: 512,
      environment: driving,
    });
    const relay = new VigilFunction(this, 'Relay', {
      description: 'Does again what a process committed and may have died before doing',
      bundles,
      timeoutSeconds: 60,
      environment: driving,
    });
    new SettleRule(this, 'SettleRule', { machine, settle });
    new RelayStream(this, 'RelayStream', { table, relay });
    const door = new FrontDoor(this, 'FrontDoor', { api, users, origins: settings.webOrigins });

    table.grant(callModel, 'GetItem', 'Query', 'PutItem', 'UpdateItem');
    table.grant(ask, 'GetItem', 'UpdateItem');
    table.grant(api, 'GetItem', 'Query', 'PutItem', 'UpdateItem');
    table.grantListByOwner(api);
    table.grant(settle, 'GetItem', 'Query', 'PutItem', 'UpdateItem');
    table.grant(relay, 'GetItem', 'UpdateItem');
    modelKey.grantRead(callModel);
    machine.grantStart(api);
    machine.grantStart(relay);
    machine.grantStop(api);
    machine.grantStop(relay);
    for (const fn of [ask, api, relay]) machine.grantAnswer(fn);

    new CfnOutput(this, 'ApiUrl', { value: door.url });
    new CfnOutput(this, 'UserPoolId', { value: users.poolId });
    new CfnOutput(this, 'UserPoolClientId', { value: users.clientId });
    new CfnOutput(this, 'StateMachineArn', { value: machine.arn });
    new CfnOutput(this, 'TableName', { value: table.name });
    new CfnOutput(this, 'ModelKeySecretName', { value: modelKey.name, description: modelKey.howToSet });
  }
}
