import { join } from 'node:path';
import { AwsError } from './aws-error';
import type { Clock } from './clock';
import type { Dynamodb } from './dynamodb';
import type { EventBridge } from './event-bridge';
import type { Iam, Principal } from './iam';
import { dynamodbRequests } from './iam-requests';
import type { Lambda } from './lambda';
import { remoteStepFunctions, type StepFunctions } from './step-functions';
import type { Template } from './template';

export interface EngineOptions {
  template: Template;
  stateDirectory: string;
  clock: Clock;
  lambda: Lambda;
  iam: Iam;
  dynamodb: Dynamodb;
  events: EventBridge;
  log: (line: string) => void;
}

/** The embedded engine with the local cloud's services behind it, or the one that SFN_ENDPOINT names. */
export async function startEngine(options: EngineOptions): Promise<StepFunctions> {
  const { template, stateDirectory, clock, lambda, iam, events, log } = options;
  const { accountId, region } = template.place;
  const endpoint = process.env.SFN_ENDPOINT;
  if (endpoint) {
    if (template.ofType('AWS::Events::Rule').length)
      log('SFN_ENDPOINT: that engine reports no status changes, so rules do not fire.');
    return remoteStepFunctions(endpoint, region);
  }
  // Loaded only where it is used: with SFN_ENDPOINT the journal's native module is not needed.
  const { startStepFunctions } = await import('./stepfunctions');
  const engine = await startStepFunctions({
    directory: join(stateDirectory, 'stepfunctions'),
    clock,
    accountId,
    region,
    services: {
      async invokeLambda({ functionName, payload, signal, principal }) {
        const found = lambda.find(functionName);
        if (found)
          iam.authorize({
            principal: sessionOf(principal),
            action: 'lambda:InvokeFunction',
            resource: String(found.attributes.Arn),
          });
        return lambda.invoke(functionName, payload, signal);
      },
      callAws: (request) => callAws(options, request),
    },
    onStatusChange: (event) => events.put(event),
    authorize: ({ principal, action, resource }) =>
      iam.authorize({ principal: sessionOf(principal), action, resource }),
  });
  return engine;
}

/** A service that a Task state calls without a function in between. */
async function callAws(
  { template, iam, dynamodb }: EngineOptions,
  request: { service: string; action: string; parameters: Record<string, unknown>; principal: string },
): Promise<Record<string, unknown>> {
  const { service, action, parameters, principal } = request;
  if (service !== 'dynamodb') {
    throw new AwsError(
      'UnknownOperationException',
      `The local cloud lets state machines call Lambda and DynamoDB, not ${service}.`,
    );
  }
  for (const asked of dynamodbRequests(action, parameters, template.place))
    iam.authorize({ principal: sessionOf(principal), ...asked });
  return dynamodb.client.call(action, parameters);
}

function sessionOf(roleArn: string): Principal {
  return { roleArn, session: 'states' };
}
