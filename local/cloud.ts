import { join } from 'node:path';
import { answeredTools } from './app/answered';
import { app } from './app/app';
import { watchBoundaries } from './app/boundaries';
import { openChanges } from './app/changes';
import { type Faults, orderFaults } from './app/faults';
import { healthOf } from './app/health';
import { type HttpServer, listen } from './app/http-server';
import { openMoves } from './app/moves';
import { openQuiet } from './app/quiet';
import { awsServices } from './aws/services';
import { deployStateMachines, type StepFunctions } from './aws/step-functions';
import { startEngine } from './aws/step-functions-engine';
import { type CloudClock, openCloudClock } from './cloud-clock';
import { type Deployment, readDeployment } from './deployment';
import { startDynamodb } from './dynamodb/dynamodb';
import { type Streams, startStreams } from './dynamodb/streams';
import { startEventBridge } from './events/event-bridge';
import { type StackStatus, stackEvent } from './events/stack-event';
import { httpApi } from './http-api/http-api';
import { openIdentity, openSigningKey } from './http-api/identity';
import type { Iam } from './iam/iam';
import { startLambda } from './lambda/lambda';
import { openStateDirectory } from './npm-start/state-directory';
import { pending } from './pending';
import { findByName } from './resource-names';
import { unsetNeeds } from './template/left-open';
import { type Resources, resourcesOf } from './template/resources';
import type { NeededValue, Resource } from './template/template';
import { localAddresses } from './websocket-api/addresses';
import type { SocketApi } from './websocket-api/socket-api';
import { websocketApi } from './websocket-api/websocket-api';

export interface LocalCloudOptions {
  /** The folder of the synthesized CDK app. */
  assembly: string;
  /** The folder for everything that must outlive the process. */
  stateDirectory: string;
  /** The app's port and the AWS port. The default 0 takes any free port. */
  port?: number;
  awsPort?: number;
  /** Values for variables that functions declare in the template, and for secrets. */
  variables?: Record<string, string>;
  /** Fills what the template leaves open: variables declared empty, and secrets. */
  environment?: NodeJS.ProcessEnv;
  /** The folder of the built page. */
  web?: string;
  log?: (line: string) => void;
  /** Shown by `/_local/health`, for example the model in use. */
  notes?: Record<string, string>;
}

type Outside = Pick<LocalCloudOptions, 'variables' | 'environment'>;

export interface LocalCloud {
  url: string;
  awsUrl: string;
  clock: CloudClock;
  faults: Faults;
  readonly resources: Resources;
  /** The values that tools cannot do without, and that nobody has set. */
  readonly unset: NeededValue[];
  /**
   * Deploys another template to the running cloud. New calls run the new code, running calls finish on the old code.
   * Executions keep their definitions, and connections stay open.
   *
   * @param values replace those that the cloud was started with.
   * @throws Error in one line for what cannot be deployed; the previous deployment then keeps running.
   */
  deploy(assembly: string, values?: Outside): Promise<void>;
  /** Stops everything. The work in the state directory continues at the next start. */
  stop(): Promise<void>;
}

const accountId = '000000000000';

/** Starts a cloud that runs one synthesized template. Several can run side by side: they share only the machine. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const closing: (() => unknown)[] = [];
  const stop = async () => {
    // Stops in reverse order, so that nothing is called after it has stopped.
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    return await assemble(options, (close) => closing.push(close), stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function assemble(
  options: LocalCloudOptions,
  onStop: (close: () => unknown) => void,
  stop: () => Promise<void>,
): Promise<LocalCloud> {
  const { log = () => undefined } = options;
  const state = await openStateDirectory(options.stateDirectory);
  onStop(state.release);
  const stateDirectory = state.path;
  const [door, awsDoor] = await openDoors(options, onStop);
  const clock = openCloudClock(stateDirectory);
  onStop(clock.stop);
  const region = process.env.AWS_REGION ?? 'us-east-1';
  let outside: Outside = options;
  const read = (assembly: string, { variables, environment }: Outside) => {
    const place = { accountId, region, apiUrl: door.url };
    return readDeployment(assembly, { place, stateDirectory, clock, log, variables, environment });
  };
  /** The current deployment. Everything that outlives a deployment reads it on each use. */
  let current = await read(options.assembly, outside);
  const { template } = current;
  const iam: Iam = {
    authorize: (request) => current.iam.authorize(request),
    allows: (request) => current.iam.allows(request),
    mayInvoke: (...asked) => current.iam.mayInvoke(...asked),
  };
  const faults = orderFaults({
    find: (name) => findByName(current.functions, name)?.ref,
    names: () => current.functions.map(({ name }) => name),
    crash: (name) => void lambda.crash(name),
    clock,
  });
  const boundaries = watchBoundaries(faults);
  const answered = answeredTools();
  const functionsOf = ({ functions, variables, unreserved, template }: Deployment) => ({
    functions,
    variables,
    unreserved,
    addressOf: localAddresses(template, awsDoor.url),
  });
  const lambdaOptions = {
    ...functionsOf(current),
    // The cache belongs to the assembly and is removed with it.
    codeCache: join(options.assembly, 'code-cache'),
    stateDirectory,
    region,
    awsUrl: awsDoor.url,
    clock,
    faults,
    boundaries,
    answered,
    offset: clock.shared,
    log,
    credentialsOf: current.principals.credentialsOf,
    onFailure: (lambda: Resource) => current.undelivered.ofEvents(lambda),
  };

  // These are independent of one another.
  const [dynamodb, lambda, privateKey] = await all([
    startDynamodb({ stateDirectory, endpoint: process.env.DYNAMODB_ENDPOINT, log }).then(keep(onStop)),
    startLambda(lambdaOptions).then(keep(onStop)),
    openSigningKey(stateDirectory),
  ]);
  const tablesOf = ({ template }: Deployment) => template.ofType('AWS::DynamoDB::Table');
  const newTables = await dynamodb.deploy(tablesOf(current));

  const mayCall: Deployment['mayCall'] = (...asked) => current.mayCall(...asked);
  const api = () => current.socketApi as SocketApi;
  const webSockets = current.socketApi && websocketApi({ api, lambda, clock: clock.passing, mayInvoke: mayCall });
  if (webSockets) door.handleUpgrade(webSockets.upgrade);
  let streams: Streams | undefined;
  const quiet = openQuiet(() => lambda.atWork() === 0 && streams?.idle() !== false && stepFunctions.isIdle());
  const changes = openChanges(quiet);
  const moves = openMoves(clock, quiet);
  const time = () => {
    const movingTo = moves.movingTo();
    return {
      now: new Date(clock.now()).toISOString(),
      offset: clock.offset(),
      ...(movingTo !== undefined && { movingTo: new Date(movingTo).toISOString() }),
    };
  };
  const engine = pending<StepFunctions>();
  const events = startEventBridge({ rules: () => current.rules, lambda });
  const services = await awsServices({
    iam,
    dynamodb,
    lambda,
    clock,
    stateDirectory,
    webSockets,
    // The app's own functions behind its rules may have effects, as tools have.
    events: { ...events, put: async (...given) => (answered.asked() ? undefined : events.put(...given)) },
    faults,
    log,
    template: () => current.template,
    variables: () => current.variables,
    principalOf: (accessKeyId) => current.principals.principalOf(accessKeyId),
    secretOf: (accessKeyId) => current.principals.secretOf(accessKeyId),
    stepFunctions: engine.promise,
    written() {
      streams?.wake();
      changes.written();
    },
  });
  onStop(services.stop);
  awsDoor.handle(services.handler);

  onStop(events.stop);
  const started = await startStreams({
    ...current,
    client: dynamodb.client,
    lambda,
    stateDirectory,
    newTables,
    log,
  });
  streams = started;
  onStop(started.stop);
  const stepFunctions = await startEngine({
    template,
    stateDirectory,
    clock,
    lambda,
    iam,
    dynamodb,
    events,
    log,
    passing: boundaries.transition,
  });
  onStop(stepFunctions.stop);
  engine.resolve(stepFunctions);
  const machinesOf = ({ template }: Deployment) => template.ofType('AWS::StepFunctions::StateMachine');
  await deployStateMachines(stepFunctions, machinesOf(current));

  const health = healthOf({
    template: () => current.template,
    time,
    urls: { url: door.url, awsUrl: awsDoor.url },
    notes: options.notes ?? {},
    engines: {
      dynamodb: process.env.DYNAMODB_ENDPOINT ?? 'embedded',
      stepFunctions: process.env.SFN_ENDPOINT ?? 'embedded',
    },
  });
  const appOf = ({ template, mayCall }: Deployment) => {
    const identity = openIdentity({ privateKey, template, clock });
    const api = httpApi({ template, lambda, identity, clock, mayInvoke: mayCall });
    return app({
      time,
      moves,
      faults,
      boundaries,
      answered,
      identity,
      health,
      changes,
      api,
      web: options.web,
      theme: template.metadata.Theme,
      filesUrl: awsDoor.url,
    });
  };
  door.handle(appOf(current));
  // Added last, so stopped first: no request begins that could not finish, and none waits for a move.
  onStop(door.stop);
  const announce = (status: StackStatus) =>
    events
      .put(stackEvent(current.template, status, clock))
      .catch((error: Error) => log(`The deployment's event was not delivered: ${error.message}`));
  void announce('CREATE_COMPLETE');
  onStop(moves.stop);
  return {
    url: door.url,
    awsUrl: awsDoor.url,
    clock,
    faults,
    deploy,
    stop,
    get resources() {
      return resourcesOf(current.template);
    },
    get unset() {
      return unsetNeeds(current.template, current.variables);
    },
  };

  async function deploy(assembly: string, values = outside): Promise<void> {
    const before = current;
    const next = await read(assembly, values);
    if (next.socketApi?.arn !== before.socketApi?.arn)
      throw new Error('The WebSocket API has changed: restart the local cloud.');
    const nextApp = appOf(next);
    const created = await dynamodb.deploy(tablesOf(next));
    try {
      await deployStateMachines(stepFunctions, machinesOf(next));
      await started.deploy({ ...next, newTables: created });
      lambda.deploy(functionsOf(next));
    } catch (error) {
      await deployStateMachines(stepFunctions, machinesOf(before));
      await started.deploy({ ...before, newTables: created });
      throw error;
    }
    current = next;
    outside = values;
    door.handle(nextApp);
    void announce('UPDATE_COMPLETE');
  }
}

async function openDoors(
  { port = 0, awsPort = 0 }: LocalCloudOptions,
  onStop: (close: () => unknown) => void,
): Promise<[HttpServer, HttpServer]> {
  return all([listen(port, 'PORT').then(keep(onStop)), listen(awsPort, 'AWS_PORT').then(keep(onStop))]);
}

/** Waits for all, even if one fails: the others must have started before they can be stopped. */
async function all<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(work);
  return Promise.all(work) as unknown as Promise<T>;
}

function keep(onStop: (close: () => unknown) => void) {
  return <T extends { stop(): unknown }>(started: T): T => {
    onStop(() => started.stop());
    return started;
  };
}
