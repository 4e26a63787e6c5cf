import type { Action } from '../api/request';
import type { Engine } from '../engine/engine';
import type { JsonObject } from '../language/json';
import type { TaskResource } from '../states/task-resource';
import { type CallAws, optimisedService, sdkService, sdkServices } from './aws-service';
import { type Integration, TaskError } from './integration';
import { type InvokeLambda, lambdaFunction, lambdaInvoke, lambdaSdk } from './lambda';
import { sfnService } from './sfn';
import { statesStartExecution } from './states';

/** Everything that a Task state can call, by its events' resource type and action. `.sync` is of `states` alone. */
export function integrations(
  invoke: InvokeLambda,
  call: CallAws | undefined,
  actions: Readonly<Record<string, Action>>,
): (engine: Engine, resource: TaskResource) => Integration | undefined {
  const function_ = lambdaFunction(invoke);
  const fixed = new Map<string, Integration>([
    ['lambda:invoke', lambdaInvoke(invoke)],
    ['aws-sdk:lambda:invoke', lambdaSdk(invoke)],
  ]);
  const sdk = new Map<string, Integration>();
  if (call) {
    for (const action of ['getItem', 'putItem', 'updateItem', 'deleteItem'])
      fixed.set(`dynamodb:${action}`, optimisedService('dynamodb', call));
    fixed.set('sqs:sendMessage', optimisedService('sqs', call, withTextBody('MessageBody')));
    fixed.set('sns:publish', optimisedService('sns', call, withTextBody('Message')));
    fixed.set('events:putEvents', eventsService(call));
    for (const action of ['getObject', 'listObjectsV2']) fixed.set(`s3:${action}`, sdkService('s3', call));
    for (const service of sdkServices) sdk.set(`aws-sdk:${service}`, sdkService(service, call));
  }
  return (engine, resource) => {
    if (resource.kind === 'lambda') return function_;
    const name = `${resource.service}:${resource.action}`;
    if (name === 'states:startExecution') return statesStartExecution(engine);
    if (resource.service === 'aws-sdk:sfn' && resource.pattern === '') return sfnService(engine, actions);
    if (resource.pattern.startsWith('.sync')) return undefined;
    return fixed.get(name) ?? sdk.get(resource.service);
  };
}

/** A message may be given as JSON; the service takes text. */
const withTextBody =
  (field: string) =>
  (parameters: JsonObject): JsonObject => {
    const value = parameters[field];
    return value === undefined || value === null || typeof value === 'string'
      ? parameters
      : { ...parameters, [field]: JSON.stringify(value) };
  };

function withTextDetails(parameters: JsonObject): JsonObject {
  const entries = Array.isArray(parameters.Entries) ? parameters.Entries : [];
  return { ...parameters, Entries: entries.map((entry) => withTextBody('Detail')(entry as JsonObject)) };
}

/** An event that the bus refuses fails the task. */
function eventsService(call: CallAws): Integration {
  const { call: put } = optimisedService('events', call, withTextDetails);
  return {
    async call(request) {
      const answer = (await put(request)) as JsonObject;
      if (typeof answer.FailedEntryCount !== 'number' || answer.FailedEntryCount === 0) return answer;
      throw new TaskError('EventBridge.FailedEntry', JSON.stringify(answer));
    },
  };
}
