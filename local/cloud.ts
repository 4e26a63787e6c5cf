import { app } from './app/app';
import { watchBoundaries } from './app/boundaries';
import { type Faults, orderFaults } from './app/faults';
import { healthOf } from './app/health';
import { type HttpServer, listen } from './app/http-server';
import { awsServices } from './aws/services';
import { deployStateMachines, type StepFunctions } from './aws/step-functions';
import { startEngine } from './aws/step-functions-engine';
import { type CloudClock, openCloudClock } from './cloud-clock';
import { startDynamodb } from './dynamodb/dynamodb';
import { type Streams, startStreams } from './dynamodb/streams';
import { startEventBridge } from './events/event-bridge';
import { httpApi } from './http-api/http-api';
import { openIdentity } from './http-api/identity';
import { openIam } from './iam/iam';
import { openPrincipals } from './iam/principals';
import { startLambda } from './lambda/lambda';
import { openStateDirectory } from './npm-start/state-directory';
import { findByName } from './resource-names';
import { leftOpen } from './template/left-open';
import { type Resources, resourcesOf } from './template/resources';
import { type Resource, readTemplate } from './template/template';
import { openUndelivered } from './undelivered';
import { localAddresses } from './websocket-api/addresses';
import { websocketApi } from './websocket-api/websocket-api';

export interface LocalCloudOptions {
  /** The folder that the CDK app was synthesized to. */
  assembly: string;
  /** Where everything is kept that must outlive the process. */
  stateDirectory: string;
  /** The app's port and the AWS APIs' port; 0, the default, takes any that is free. */
  port?: number;
  awsPort?: number;
  /** Replace variables that functions declare in the template, and are the secrets' values. */
  variables?: Record<string, string>;
  /** Fills what the template leaves open: variables that it declares empty, and secrets. */
  environment?: NodeJS.ProcessEnv;
  /** The page's folder. */
  web?: string;
  log?: (line: string) => void;
  /** Shown by `/_local/health`, for example which model answers. */
  notes?: Record<string, string>;
}

export interface LocalCloud {
  url: string;
  awsUrl: string;
  clock: CloudClock;
  faults: Faults;
  resources: Resources;
  /** Stops everything; what lies in the state directory goes on at the next start. */
  stop(): Promise<void>;
}

const ACCOUNT_ID = '000000000000';

/** Starts a cloud that runs one synthesized template. Two of them live side by side: nothing is shared but the machine. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const closing: (() => unknown)[] = [];
  const stop = async () => {
    // The last to start is the first to stop: nobody calls what has gone.
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
  const template = await readTemplate(options.assembly, { accountId: ACCOUNT_ID, region, apiUrl: door.url });
  const functions = template.ofType('AWS::Lambda::Function');
  const variables = { ...leftOpen(template, options.environment ?? {}), ...options.variables };
  const iam = openIam(template);
  const principals = openPrincipals(functions);
  const authorize = (lambda: Resource, action: string, resource: string) =>
    iam.authorize({ principal: principals.roleOf(lambda), action, resource });
  const undelivered = openUndelivered({ template, stateDirectory, clock, authorize, log });
  const faults = orderFaults({
    find: (name) => findByName(functions, name)?.ref,
    names: () => functions.map(({ name }) => name),
  });
  const boundaries = watchBoundaries(faults);
  const lambdaOptions = {
    functions,
    stateDirectory,
    region,
    awsUrl: awsDoor.url,
    addressOf: localAddresses(template, awsDoor.url),
    variables,
    clock,
    faults,
    boundaries,
    onFailure: undelivered.ofEvents,
  };

  // None of these needs another one.
  const [dynamodb, lambda, identity] = await all([
    startDynamodb({ stateDirectory, endpoint: process.env.DYNAMODB_ENDPOINT, log }).then(keep(onStop)),
    startLambda({ ...lambdaOptions, credentialsOf: principals.credentialsOf, offset: clock.shared }).then(keep(onStop)),
    openIdentity({ stateDirectory, template, clock }),
  ]);
  const newTables = await dynamodb.deploy(template.ofType('AWS::DynamoDB::Table'));

  const mayCall = (to: string, source: string) => iam.mayInvoke('apigateway.amazonaws.com', to, source);
  const webSockets = websocketApi({ template, lambda, clock, mayInvoke: mayCall });
  if (webSockets) door.handleUpgrade(webSockets.upgrade);
  let streams: Streams | undefined;
  const engine = later<StepFunctions>();
  const events = startEventBridge({
    template,
    lambda,
    log,
    mayInvoke: (to, rule) => iam.mayInvoke('events.amazonaws.com', to, rule),
  });
  const services = await awsServices({
    ...{ template, iam, principals, dynamodb, lambda, clock, stateDirectory, variables, webSockets, events, log },
    stepFunctions: engine.promise,
    written: () => streams?.wake(),
  });
  onStop(services.stop);
  awsDoor.handle(services.handler);

  onStop(events.stop);
  streams = await startStreams({
    ...{ template, client: dynamodb.client, lambda, stateDirectory, newTables, authorize, undelivered, log },
  });
  onStop(streams.stop);
  const stepFunctions = await startEngine({
    ...{ template, stateDirectory, clock, lambda, iam, dynamodb, events, log },
    passing: boundaries.transition,
  });
  onStop(stepFunctions.stop);
  engine.resolve(stepFunctions);
  await deployStateMachines(stepFunctions, template.ofType('AWS::StepFunctions::StateMachine'));

  const api = httpApi({ template, lambda, identity, clock, mayInvoke: mayCall });
  const health = healthOf({
    template,
    clock,
    urls: { url: door.url, awsUrl: awsDoor.url },
    notes: options.notes ?? {},
    engines: {
      dynamodb: process.env.DYNAMODB_ENDPOINT ?? 'embedded',
      stepFunctions: process.env.SFN_ENDPOINT ?? 'embedded',
    },
  });
  door.handle(app({ clock, faults, boundaries, identity, health, quiet: lambda.quiet, api, web: options.web }));
  // First of all: no request begins that could not end.
  onStop(door.stop);
  return { url: door.url, awsUrl: awsDoor.url, clock, faults, resources: resourcesOf(template), stop };
}

async function openDoors(
  { port = 0, awsPort = 0 }: LocalCloudOptions,
  onStop: (close: () => unknown) => void,
): Promise<[HttpServer, HttpServer]> {
  return all([listen(port, 'PORT').then(keep(onStop)), listen(awsPort, 'AWS_PORT').then(keep(onStop))]);
}

/** Waits for all, also when one fails: what started beside it must be known before it can be stopped. */
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

function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
