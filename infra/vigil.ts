import { CfnOutput, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { checkOptions } from '../core/base/schemas/definition';
import { ConfigurationError } from '../core/base/text/errors';
import type { Agent } from '../core/conversations/agent/agent';
import { fieldsOfModules } from '../core/conversations/agent/agent-field';
import { functionTools, guardsOf, isolatedTools } from '../core/conversations/agent/registry';
import { functionName } from '../core/conversations/agent/tool';
import { namedApprovers } from '../core/conversations/approvals/deciders';
import { modelTimeoutSeconds } from '../statemachines/call-states';
import { functionId } from '../statemachines/function-id';
import { builtFor } from './built';
import { describe, describeDefinitions } from './described';
import { letServicesUse } from './encryption';
import { FileBucket, pageOrigins } from './files/file-bucket';
import { ApiKey } from './functions/api-key';
import { ConversationTable, partition, tableActions } from './functions/conversation-table';
import { deployEmbed, Embeddings } from './functions/embeddings';
import { webhookKey as newWebhookKey } from './functions/generated-key';
import {
  acceptWebhooks,
  checkHostedTools,
  describeAgents,
  describeModels,
  grantModels,
  reachProviders,
} from './functions/model-providers';
import { toolFunctions } from './functions/tool-functions';
import { VigilFunction, type VigilFunctionProps } from './functions/vigil-function';
import { Events } from './live/events';
import { LiveView } from './live/live-view';
import { Machines } from './machines/machines';
import { hourly, sweepBy } from './machines/reconcile-schedule';
import { RelayStream } from './machines/safety-nets';
import { Undelivered } from './machines/undelivered';
import { endInOneLine } from './one-line';
import { FrontDoor } from './page/front-door';
import { hostedPage } from './page/hosted-page';
import { themeCss } from './page/theme';
import { UserDirectory } from './page/user-directory';
import { usersOf } from './page/users';
import { protection } from './protection';
import { apiVariables, modelVariables, pageFrom, settingsFrom, toolVariables } from './settings';
import { optionsOfModules, propOf, variablesOf } from './settings-table';
import { share } from './shared';
import { pinStateful } from './stateful';

import { type VigilProps, vigilProps } from './vigil-props';
import { Alarms, thresholdsOf } from './watch/alarms';
import { Overview } from './watch/dashboard';

/**
 * All resources of Vigil. A stack has one at most, because logical ids have no prefix: a construct that moves keeps its
 * data.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Template } from 'aws-cdk-lib/assertions';
 * import { Vigil } from 'vigil/cdk';
 *
 * const stack = new Stack(new App(), 'MyAgents');
 * const vigil = new Vigil(stack, 'Agents', { agents: './agents', tools: ['./tools'] });
 *
 * vigil.tool('opening_hours').addEnvironment('HOLIDAYS', '2030-01-01');
 * const outputs = Template.fromStack(stack).findOutputs('*');
 * Object.keys(outputs).includes('ApiUrl'); // → true
 * ```
 */
export class Vigil extends Construct {
  /** The address of the HTTP API. */
  readonly apiUrl: string;
  /** The address of the page, if there is one. */
  readonly pageUrl?: string;
  /** The bus on which finished work is published (docs/events.md). */
  readonly eventBusName: string;
  private readonly tools: Record<string, VigilFunction>;

  /** @throws ConfigurationError in one line, for a mistake in the props, an agent or a tool. */
  constructor(scope: Construct, id: string, props: VigilProps) {
    super(scope, id);
    const declared = endInOneLine();
    checkOptions('Vigil', props, vigilProps);
    assertOnly(this);
    const { agents, bundles, definitions } = builtFor(this, props);
    const stranger = Object.keys(props.models?.baseUrlOf ?? {}).find((name) => !agents.providers.has(name));
    if (stranger) throw new ConfigurationError(`models.baseUrlOf.${stranger}: no agent names such a provider.`);
    const settings = settingsFrom({ ...props.variables, ...variablesOf(props) }, namesIn(props));
    const given = [...optionsOfModules].find(([variable]) => props.variables?.[variable]);
    if (given) throw new ConfigurationError(`variables.${given[0]}: it is an option of a module: ${given[1]}.`);
    const thresholds = thresholdsOf(props.alarms);
    const stack = Stack.of(this);
    share(this, {
      vpc: props.vpc,
      encryptionKey: props.encryptionKey,
      alarmTopic: props.alarms?.topic,
      logRetention: props.logRetention ?? RetentionDays.ONE_MONTH,
      deletionProtection: props.table && props.auth ? false : protection(stack, props.deletionProtection),
      secrets: props.secrets ?? {},
    });
    if (props.encryptionKey) letServicesUse(props.encryptionKey, this);
    const table = new ConversationTable(this, 'Conversations', { existing: props.table });
    const files = new FileBucket(this, 'Files', {
      existing: props.files?.bucket,
      origins: pageOrigins(settings.webOrigins, props.page ? { domain: props.domain?.page?.name } : undefined),
    });
    const modelKey = new ApiKey(this, 'ModelKey', {
      variable: 'OPENAI_API_KEY',
      of: 'The API key of the model provider',
    });
    const webhookKey = newWebhookKey(this);
    const { machines: hasMachines } = settings;
    const { modules = [] } = props;
    const twice = modules.find(({ name }, at) => modules.findIndex((one) => one.name === name) < at);
    if (twice) throw new ConfigurationError(`modules: ${twice.name} is listed twice.`);
    checkModules(agents.agents.values(), new Set(modules.map(({ name }) => name)));
    const scopes = modules.flatMap((module) => module.scopes ?? []);
    const own = props.auth ? undefined : new UserDirectory(this, 'Users', { machines: hasMachines, scopes });
    const machine = settings.machines ? own?.addMachine() : undefined;
    const users = own ?? usersOf(props.auth!);
    const door = new FrontDoor(this, 'FrontDoor', {
      origins: settings.webOrigins,
      headers: modules.flatMap((module) => module.headers ?? []),
      domain: props.domain?.api,
    });
    const events = new Events(this, 'Events');
    const undelivered = new Undelivered(this, 'Undelivered');
    const live = new LiveView(this, 'Live', {
      bundles,
      table,
      events,
      undelivered,
      hears: modules.flatMap((module) => module.hears ?? []),
    });
    const environment: Record<string, string> = { TABLE_NAME: table.name };
    const counting = { STACK_NAME: stack.stackName };
    const fn = (id: string, description: string, more: Partial<VigilFunctionProps> = {}) =>
      new VigilFunction(this, id, {
        description,
        bundles,
        environment,
        ...more,
      });

    const callModel = fn('CallModel', 'One step of an agent: calls the model and stores its reply', {
      timeoutSeconds: modelTimeoutSeconds,
      memoryMiB: 512,
      environment: {
        ...environment,
        ...counting,
        ...modelVariables(settings),
        ...files.variables,
        MODEL_KEY_SECRET_ARN: modelKey.arn,
      },
    });
    const providerKeys = reachProviders(this, callModel, { providers: agents.providers, settings, modelKey });
    const embeddings = new Embeddings(settings, modelKey);
    embeddings.reach(callModel);
    grantModels(stack, callModel, agents.agents.values());
    checkHostedTools(agents.agents.values(), settings);
    describeModels(stack, agents.agents.values(), settings, new Date());
    // For the local cloud, whose page offers the approvers to the people that it makes, and has the theme.
    describe(stack, { Approvers: namedApprovers(agents), ...(props.theme && { Theme: themeCss(props.theme) }) });
    // For `vigil check`.
    describe(stack, { Modules: modules.map(({ name }) => name) });
    describeAgents(stack, agents.agents.values());
    if (definitions) describeDefinitions(this, definitions);
    const ask = fn('Ask', 'Stores the task token of a callback with its question');
    const settle = fn('Settle', 'Fires timers, chooses what to undo next, and ends what did not end by itself');
    const ofTools = { ...environment, ...toolVariables(settings) };
    const shared = { bundles, table, files, environment: ofTools, settings, webhookKey, embeddings, apiUrl: door.url };
    const { functions: elsewhere = {} } = props;
    const needing = { tools: functionTools(agents), guards: guardsOf(agents), callModel };
    const tools = toolFunctions(this, {
      ...shared,
      ...needing,
      keys: providerKeys,
      elsewhere,
      share: props.shareFunctions ?? false,
    });
    const driven = { CallModel: callModel, Ask: ask, Settle: settle };
    const functions = { ...driven, ...tools };
    const machines = new Machines(this, 'Machines', { agents, functions, settle, undelivered });

    const driving = { ...environment, ...machines.variables };
    const api = fn('Api', 'The HTTP API', {
      timeoutSeconds: 29,
      memoryMiB: 512,
      environment: {
        ...driving,
        ...live.variables,
        ...apiVariables(settings),
        ...webhookKey.variables,
        ...files.variables,
        VIGIL_TOKEN_USE: users.tokenUse,
      },
    });
    const relay = fn('Relay', 'Performs actions that are committed and perhaps not done yet', {
      timeoutSeconds: 60,
      environment: { ...driving, ...counting },
    });
    new RelayStream(this, 'RelayStream', { table, relay, undelivered });
    const reconcile = fn('Reconcile', 'Starts again what the table has and Step Functions has lost', {
      // Step Functions limits how fast it is asked.
      timeoutSeconds: 900,
      environment: { ...driving, ...counting, ...files.variables },
    });
    const embed = embeddings.ofMessages(functionTools(agents), agents.agents.values())
      ? [deployEmbed(this, { bundles, table, embeddings, undelivered, asking: [live.broadcast, api, reconcile] })]
      : [];
    sweepBy(this, 'ReconcileSchedule', reconcile, hourly);
    const addresses = { apiUrl: door.endpoint, liveUrl: live.url, filesOrigin: files.origin };
    const hosted = hostedPage(this, { props, users, ...addresses });
    door.leadTo(api, users);

    const ofPeople = [partition.conversations, partition.users, partition.counts, partition.files];
    table.grant(callModel, [...ofPeople, partition.replies], ...tableActions);
    table.grant(api, [...ofPeople, partition.shared], ...tableActions);
    for (const one of [settle, relay]) table.grant(one, [partition.conversations, partition.counts], ...tableActions);
    table.grant(reconcile, [partition.conversations, partition.counts, partition.own], ...tableActions);
    // They remove the vectors of deleted conversations.
    for (const one of [relay, reconcile]) table.grant(one, [partition.said], 'GetItem', 'Query', 'PutItem');
    // A conversation gets another owner.
    table.grant(api, [partition.said], 'PutItem');
    // They release the files of deleted conversations.
    for (const one of [relay, reconcile]) table.grant(one, [partition.files], 'GetItem', 'Query', 'UpdateItem');
    table.grantSweep(reconcile);
    table.grant(ask, [partition.conversations], 'GetItem', 'UpdateItem');
    table.grantLists(api);
    // A model may make files.
    files.grant(callModel, 'GetObject', 'PutObject');
    // A signed address can do what its signer may.
    files.grant(api, 'GetObject', 'PutObject');
    files.grant(reconcile, 'DeleteObject');
    modelKey.grantRead(callModel);
    webhookKey.grantRead(api);
    if (acceptWebhooks(this, api, agents.providers.values())) table.grant(api, [partition.replies], 'GetItem');
    tools.RunIsolated?.configureAsyncInvoke({ onFailure: undelivered.of(tools.RunIsolated) });
    // It alone has the keys of the providers, which are told to stop a reply.
    for (const one of [relay, reconcile]) {
      one.addEnvironment('CALL_MODEL_ARN', callModel.functionArn);
      one.allow([callModel.functionArn], 'lambda:InvokeFunction');
      if (!tools.RunIsolated) continue;
      // It alone reaches the servers of tools, which are told to end a task.
      one.addEnvironment('RUN_ISOLATED_ARN', tools.RunIsolated.functionArn);
      one.allow([tools.RunIsolated.functionArn], 'lambda:InvokeFunction');
    }
    live.grantTickets(api);
    live.sendTokens(callModel);
    machines.grantDrive(api, relay, reconcile);
    machines.grantFind(reconcile);
    machines.grantHistory(api);
    machines.loop.grantAnswer(ask);

    const { loop, timers, rollbacks } = machines;
    const watched = [api, ask, settle, relay, live.broadcast, reconcile];
    const isolated = new Set(isolatedTools(agents).map((tool) => functionId(functionName(tool))));
    const workers = [
      callModel,
      ...new Set(Object.entries(tools).flatMap(([id, one]) => (isolated.has(id) ? [] : [one]))),
    ];
    const pageUrl = hosted?.url ?? pageFrom(settings.given('VIGIL_PAGE')).address;
    const stores = { table, files, live, machines, undelivered };
    const variables = ownVariables(props);
    const kernel = {
      scope: this,
      agents,
      bundles,
      ...stores,
      workers,
      api,
      reconcile,
      door,
      users,
      pageUrl,
      settings,
      variables,
    };
    const added = modules.map((module) => module.deploy(kernel));
    door.complete();
    const others = [timers, rollbacks, ...added.flatMap((one) => one.machines ?? [])];
    const { serverErrors, latency: apiLatency } = door;
    new Alarms(this, 'Alarms', {
      thresholds,
      loop,
      otherMachines: others,
      functions: [...watched, ...added.flatMap((one) => one.watched ?? [])],
      busiest: [callModel, api, relay],
      serverErrors,
    });
    new Overview(this, 'Overview', {
      machines: [loop, ...others],
      // What Embed cannot do is in the queue of what is undelivered.
      functions: [callModel, ...watched, ...embed, ...added.flatMap(({ functions: own }) => own)],
      more: added.flatMap(({ graphs = [] }) => graphs),
      readers: [relay, live.broadcast],
      undelivered: undelivered.messages,
      serverErrors,
      apiLatency,
    });

    this.apiUrl = door.url;
    this.pageUrl = hosted?.url;
    this.eventBusName = events.busName;
    this.tools = tools;
    this.output({
      ApiUrl: door.url,
      ApiDomainTarget: door.target,
      PageUrl: hosted?.url,
      PageDomainTarget: props.domain?.page && hosted?.target,
      UserPoolId: own?.poolId,
      UserPoolClientId: own?.clientId,
      MachineClientId: machine?.clientId,
      TokenUrl: machine?.tokenUrl,
      StateMachineArn: machines.loop.arn,
      TableName: table.name,
      FilesBucketName: files.variables.FILES_BUCKET,
      EventBusName: events.busName,
      UndeliveredQueueUrl: undelivered.url,
      ReconcileFunctionName: reconcile.functionName,
      ...Object.assign({}, ...added.map(({ outputs }) => outputs)),
    });
    pinStateful(
      this,
      modules.map((module) => module.stateful ?? {}),
    );
    door.precede(this);
    declared();
  }

  /**
   * Returns the function of a tool: to grant it rights (`table.grantReadData(vigil.tool('refund'))`) and to add
   * variables.
   *
   * @throws ConfigurationError for a tool without a function of its own.
   */
  tool(name: string): VigilFunction {
    const id = functionId(name);
    const found = this.tools[id];
    if (found && found.node.id !== id)
      throw new ConfigurationError(
        `tool ${name}: it shares its function, whose rights all of them would have: name it in shareFunctions.except.`,
      );
    if (found) return found;
    throw new ConfigurationError(`tool ${name}: no agent has such a tool with a function that the construct creates.`);
  }

  private output(values: Record<string, string | undefined>): void {
    for (const [name, value] of Object.entries(values))
      if (value) new CfnOutput(this, name, { value }).overrideLogicalId(name);
  }
}

/** @throws ConfigurationError if the stack has another one. */
function assertOnly(vigil: Vigil): void {
  const stack = Stack.of(vigil);
  const other = stack.node.findAll().find((one) => one instanceof Vigil && one !== vigil && Stack.of(one) === stack);
  if (!other) return;
  throw new ConfigurationError(
    `${vigil.node.path}: the stack ${stack.stackName} already has a Vigil, ${other.node.path}: put each into a stack of its own.`,
  );
}

/** @throws ConfigurationError for an agent's field that a module brings which the app does not list. */
function checkModules(agents: Iterable<Agent>, listed: ReadonlySet<string>): void {
  for (const agent of agents)
    for (const { field, module } of fieldsOfModules(agent))
      if (!listed.has(module))
        throw new ConfigurationError(
          `agent ${agent.name}: ${field}: needs the module ${module}: add ${module}() to modules (import { ${module} } from 'vigil/modules/${module}').`,
        );
}

/** Returns the variables that the app has given and that are no settings of Vigil. */
const ownVariables = ({ variables = {} }: VigilProps): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value !== undefined && !name.startsWith('VIGIL_') ? [[name, value]] : [],
    ),
  );

/** Returns the names that errors give to the variables that props have set. */
const namesIn = (props: VigilProps): Record<string, string> => {
  const set = variablesOf(props);
  return Object.fromEntries(Object.entries(propOf).filter(([variable]) => Object.hasOwn(set, variable)));
};
