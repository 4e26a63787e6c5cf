import { randomUUID } from 'node:crypto';
import { ApiError } from '../api/api-error';
import type { Action } from '../api/request';
import type { Engine } from '../engine/engine';
import { type Integration, type TaskCall, TaskError } from '../engine/integration';
import type { TaskResource } from '../execution/task-resource';
import { isObject, type Json, type JsonObject, jsonText } from '../language/json';
import { asText, type CallAws, optimisedService, sdkService, sdkServices } from './aws-service';
import { dated } from './dates';
import { jsonTexts } from './json-texts';
import { type InvokeLambda, lambdaFunction, lambdaInvoke, lambdaSdk } from './lambda';
import { entryProblem } from './service-rules';
import { statesStartExecution } from './states';

/** `states:::aws-sdk:sfn:…`: the engine's own API. Field names are capitalised on this way, and not on the wire. */
function sfnService(engine: Engine, actions: Readonly<Record<string, Action>>): Integration {
  return {
    async call({ resource, parameters }) {
      const name = resource.action[0]!.toUpperCase() + resource.action.slice(1);
      const action = actions[name];
      if (action === undefined) throw new TaskError('States.Runtime', `This engine does not know the action ${name}`);
      try {
        const body = jsonTexts('sfn', isObject(parameters) ? parameters : {});
        return dated(renamed(await action(engine, renamed(body, lower) as JsonObject), upper));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const type = error.type.endsWith('Exception') ? error.type : `${error.type}Exception`;
        throw new TaskError(
          `Sfn.${type}`,
          `${error.message} (Service: Sfn, Status Code: ${error.status}, Request ID: ${randomUUID()}) (SDK Attempt Count: 1)`,
        );
      }
    },
  };
}

const lower = (name: string) => name[0]!.toLowerCase() + name.slice(1);
const upper = (name: string) => name[0]!.toUpperCase() + name.slice(1);

function renamed(value: Json, rename: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), renamed(each, rename)]));
}

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
    for (const action of ['getObject', 'putObject']) fixed.set(`s3:${action}`, sdkService('s3', call, asText));
    fixed.set('s3:listObjectsV2', allObjects(call));
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

/** Lists every object for an item reader, while S3 answers a thousand at a time. */
function allObjects(call: CallAws): Integration {
  const { call: list } = sdkService('s3', call);
  return {
    async call(request) {
      const contents: Json[] = [];
      let parameters = request.parameters as JsonObject;
      for (;;) {
        const answer = (await list({ ...request, parameters })) as JsonObject;
        for (const each of (answer.Contents ?? []) as Json[]) contents.push(each);
        const next = answer.NextContinuationToken ?? null;
        if (next === null) return { ...answer, Contents: contents };
        parameters = { ...parameters, ContinuationToken: next };
      }
    },
  };
}

/** A message may be given as JSON; the service takes text. */
const withTextBody =
  (field: string) =>
  (parameters: JsonObject): JsonObject => {
    const value = parameters[field];
    return value === undefined || value === null || typeof value === 'string'
      ? parameters
      : { ...parameters, [field]: jsonText(value) };
  };

/** An event's Detail may be a JSON object; the state machine and the execution stand among its resources. */
function prepared(entry: Json, { executionArn }: TaskCall): JsonObject {
  const fields = isObject(entry) ? entry : {};
  const stateMachineArn = executionArn
    .replace(/:(execution|express):/, ':stateMachine:')
    .split(':')
    .slice(0, 7)
    .join(':');
  const given = Array.isArray(fields.Resources) ? fields.Resources : [];
  const detail: JsonObject = isObject(fields.Detail) ? { Detail: jsonText(fields.Detail) } : {};
  return { ...fields, ...detail, Resources: [...given, stateMachineArn, executionArn] };
}

/** An event that the bus refuses fails the task; the others are put nevertheless. */
function eventsService(call: CallAws): Integration {
  const { call: put } = optimisedService('events', call);
  return {
    async call(request) {
      const { Entries } = isObject(request.parameters) ? request.parameters : {};
      const entries = (Array.isArray(Entries) ? Entries : []).map((entry) => prepared(entry, request));
      const problems = entries.map(entryProblem);
      const taken = entries.filter((_, i) => problems[i] === undefined);
      const parameters = { ...(request.parameters as JsonObject), Entries: taken };
      const refused = entries.length - taken.length;
      const answer = refused > 0 && taken.length === 0 ? {} : ((await put({ ...request, parameters })) as JsonObject);
      const count = refused + Number(answer.FailedEntryCount ?? 0);
      if (count === 0) return answer;
      const answers = [...((answer.Entries ?? []) as Json[])];
      const merged = problems.map((problem) => problem ?? answers.shift() ?? {});
      throw new TaskError('EventBridge.FailedEntry', jsonText({ Entries: merged, FailedEntryCount: count }));
    },
  };
}
