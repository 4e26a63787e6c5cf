import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from 'vigil-stepfunctions';
import type { Faults } from '../app/faults';
import { type Handler, sendJson } from '../app/http-server';
import type { Dynamodb } from '../dynamodb/dynamodb';
import { dynamodbProxy } from '../dynamodb/proxy';
import type { EventBridge } from '../events/event-bridge';
import { putEventsHandler } from '../events/put-events';
import type { Iam } from '../iam/iam';
import { partitionKeysIn } from '../iam/leading-keys';
import type { Principals } from '../iam/principals';
import { dynamodbRequests, stepFunctionsRequests } from '../iam/requests';
import type { Lambda } from '../lambda/lambda';
import { serveInvoke } from '../lambda/wire';
import { openS3 } from '../s3/s3';
import type { Template } from '../template/template';
import { connectionsApi } from '../websocket-api/connections-api';
import type { WebsocketApi } from '../websocket-api/websocket-api';
import { awsEndpoint, operationOf, readAwsJson, type ServiceHandler } from './aws-endpoint';
import { bedrockHandler } from './bedrock';
import { secretsHandler } from './secrets';
import type { StepFunctions } from './step-functions';

/** The services behind the AWS port. */
export interface ServicesOptions {
  /** `template` and `variables` return those of the latest deployment. */
  template: () => Template;
  iam: Iam;
  /** Returns undefined for the administrator. */
  principalOf: Principals['principalOf'];
  secretOf: Principals['secretOf'];
  dynamodb: Dynamodb;
  lambda: Lambda;
  webSockets: WebsocketApi | undefined;
  events: EventBridge;
  /** Resolves when the engine has read its journal. Earlier requests wait. */
  stepFunctions: Promise<StepFunctions>;
  clock: Clock;
  stateDirectory: string;
  variables: () => Readonly<Record<string, string>>;
  faults: Pick<Faults, 'takeWrite'>;
  /** Called when a table may have changed. */
  written: () => void;
  log: (line: string) => void;
}

/** The page, wherever it is served. Pages of other sites have other origins. */
const pagesOfMachine = ['http://127.0.0.1:*', 'http://localhost:*'];

const stepFunctionsLimit = 2_000_000;

export async function awsServices(options: ServicesOptions): Promise<{ handler: Handler; stop(): void }> {
  const { template, iam, principalOf, lambda, clock, stateDirectory, variables } = options;

  /** The administrator may do anything, a role what its policies allow. */
  const authorize = (accessKeyId: string, action: string, resource: string): void => {
    const principal = principalOf(accessKeyId);
    if (principal) iam.authorize({ principal, action, resource });
  };
  const proxy = dynamodbProxy({
    endpoint: options.dynamodb.endpoint,
    accessKey: options.dynamodb.accessKey,
    mustAsk: (accessKeyId) => principalOf(accessKeyId) !== undefined,
    authorize: (accessKeyId, operation, input) => {
      const principal = principalOf(accessKeyId);
      const { place } = template();
      for (const asked of dynamodbRequests(operation, input, place, partitionKeysIn(template())))
        if (principal) iam.authorize({ principal, ...asked });
    },
    faultOf: (accessKeyId) => {
      const principal = principalOf(accessKeyId);
      return principal && options.faults.takeWrite(principal.session);
    },
    written: options.written,
  });
  const s3 = await openS3({
    buckets: () => template().ofType('AWS::S3::Bucket'),
    stateDirectory,
    pages: pagesOfMachine,
    authorize,
    secretOf: options.secretOf,
    now: clock.now,
  });
  const services: Record<string, ServiceHandler> = {
    bedrock: bedrockHandler({ place: template().place, variables, authorize }),
    dynamodb: proxy.serve,
    events: putEventsHandler({
      place: template().place,
      buses: () => refsOf(template(), 'AWS::Events::EventBus'),
      bridge: options.events,
      clock,
      stateDirectory,
      authorize,
      log: options.log,
    }),
    lambda: (request, response, { accessKeyId }) =>
      serveInvoke(lambda, (arn) => authorize(accessKeyId, 'lambda:InvokeFunction', arn), request, response),
    s3: s3.serve,
    secretsmanager: secretsHandler({
      secrets: () => template().ofType('AWS::SecretsManager::Secret'),
      variables,
      stateDirectory,
      authorize,
    }),
    states: stepFunctionsHandler(options),
    ...(options.webSockets && { 'execute-api': connectionsApi(options.webSockets, authorize) }),
  };
  return { handler: awsEndpoint(services, s3.serveBrowser), stop: proxy.stop };
}

function stepFunctionsHandler({ template, iam, principalOf, stepFunctions }: ServicesOptions): ServiceHandler {
  return async (request: IncomingMessage, response: ServerResponse, { accessKeyId }) => {
    const operation = operationOf(request);
    const body = await readAwsJson(request, stepFunctionsLimit);
    const principal = principalOf(accessKeyId);
    if (principal) {
      const machines = refsOf(template(), 'AWS::StepFunctions::StateMachine');
      const { anyOf } = stepFunctionsRequests(operation, body, machines);
      const [first] = anyOf;
      const allowed = anyOf.some((asked) => iam.allows({ principal, ...asked }));
      if (!allowed && first) iam.authorize({ principal, ...first });
    }
    const answer = await (await stepFunctions).call(operation, body);
    sendJson(response, answer.status, answer.body, { 'content-type': 'application/x-amz-json-1.0' });
  };
}

const refsOf = (template: Template, type: string): string[] => template.ofType(type).map(({ ref }) => ref);
