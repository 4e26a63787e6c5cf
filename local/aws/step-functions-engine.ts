import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AwsRequest, CallAws, Clock, ExecutionStatusChange } from 'vigil-stepfunctions';
import type { Dynamodb } from '../dynamodb/dynamodb';
import type { EventBridge } from '../events/event-bridge';
import type { Iam, Principal } from '../iam/iam';
import { partitionKeysIn } from '../iam/leading-keys';
import { dynamodbRequests } from '../iam/requests';
import type { Lambda } from '../lambda/lambda';
import type { Template } from '../template/template';
import { AwsError } from './aws-error';
import { remoteStepFunctions, type StepFunctions } from './step-functions';

export interface EngineOptions {
  template: Template;
  stateDirectory: string;
  clock: Clock;
  lambda: Lambda;
  iam: Iam;
  dynamodb: Dynamodb;
  events: EventBridge;
  /** See `StepFunctionsOptions`. */
  passing?: (record: string) => (() => void) | undefined;
  log: (line: string) => void;
}

/** Starts the embedded engine with the local cloud's services, or uses the engine at SFN_ENDPOINT. */
export async function startEngine(options: EngineOptions): Promise<StepFunctions> {
  const { template, stateDirectory, clock, lambda, iam, events, passing, log } = options;
  const { accountId, region } = template.place;
  const endpoint = process.env.SFN_ENDPOINT;
  if (endpoint) {
    if (template.ofType('AWS::Events::Rule').length)
      log('SFN_ENDPOINT: that engine reports no status changes, so rules do not fire.');
    return remoteStepFunctions(endpoint, region);
  }
  // Imported only if needed: with SFN_ENDPOINT, the journal's native module is not required.
  const { startStepFunctions } = await import('vigil-stepfunctions');
  return startStepFunctions({
    directory: join(stateDirectory, 'stepfunctions'),
    clock,
    accountId,
    region,
    services: {
      invokeLambda: ({ functionName, payload, signal }) => lambda.invoke(functionName, payload, signal),
      callAws: (request) => callAws(options, request),
    },
    onStatusChange: (change) => events.put(statusChangeEvent(change, template)),
    authorize: ({ principal, action, resource }) =>
      iam.authorize({ principal: sessionOf(principal), action, resource }),
    passing,
    log,
  });
}

/** https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html */
function statusChangeEvent({ time, detail }: ExecutionStatusChange, { place }: Template): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: place.accountId,
    time: new Date(time).toISOString(),
    region: place.region,
    resources: [detail.executionArn],
    detail,
  };
}

type AwsAnswer = Awaited<ReturnType<CallAws>>;

/** Calls a service for a Task state without a function in between. */
async function callAws({ template, iam, dynamodb }: EngineOptions, request: AwsRequest): Promise<AwsAnswer> {
  const { service, action, parameters, principal } = request;
  if (service !== 'dynamodb') {
    throw new AwsError(
      'UnknownOperationException',
      `The local cloud lets state machines call Lambda and DynamoDB, not ${service}.`,
    );
  }
  for (const asked of dynamodbRequests(action, parameters, template.place, partitionKeysIn(template)))
    iam.authorize({ principal: sessionOf(principal), ...asked });
  return (await dynamodb.client.call(action, parameters)) as AwsAnswer;
}

function sessionOf(roleArn: string): Principal {
  return { roleArn, session: 'states' };
}
