import type { DataFlow } from '../../execution/data-flow';
import type { TaskRequest } from '../../execution/execution';
import { type State, waits } from '../../execution/state';
import { hasToken, parseResource, type TaskResource } from '../../execution/task-resource';
import { errorNames, runtimeFailure, StateFailure } from '../../language/errors';
import type { Json, JsonObject } from '../../language/json';
import { compileQuery } from '../../language/jsonata/jsonata-template';
import { compileTemplate } from '../../language/payload-template';
import type { Scope } from '../../language/scope';
import type { Steps } from '../../language/steps';
import type { CompileContext } from '../compile';
import { numberField } from '../number-field';
import { type TaskEvents, taskEvents } from './task-events';
import { checkParameters } from './task-parameters';

export interface TaskState extends State {
  readonly resource: TaskResource;
  readonly events: TaskEvents;
}

export const isTask = (state: State): state is TaskState => state.type === 'Task';

/** Section "Task state": asks the world to do something, and waits for what comes of it. */
export function compileTask(fields: JsonObject, context: CompileContext): TaskState {
  const base = context.base(fields);
  const resource = parseResource(fields.Resource as string)!;
  const timeout = numberField(fields, 'TimeoutSeconds', context.jsonata);
  const heartbeat = numberField(fields, 'HeartbeatSeconds', context.jsonata);
  const credentials = compileCredentials(fields.Credentials, context.jsonata);
  const events = taskEvents(resource);
  const usesToken = hasToken(resource) || resource.service === 'states';
  return {
    ...base,
    resource,
    events,
    *enter(transition, branch) {
      const task = transition.nextId();
      // Who needs none is spared the computation.
      const token = usesToken ? transition.token(task) : '';
      const scope = transition.scope(branch, hasToken(resource) ? { token } : undefined);
      const read: Scope = { ...scope, input: base.flow.input(scope) };
      const timeoutSeconds = positive(yield* timeout(read), 'TimeoutSeconds', context.jsonata);
      const heartbeatSeconds = positive(yield* heartbeat(read), 'HeartbeatSeconds', context.jsonata);
      const parameters = yield* requestBody(resource, base.flow.arguments, read);
      checkParameters(resource, parameters, context.jsonata ? 'Arguments' : 'Parameters');
      const request: TaskRequest = {
        resource,
        parameters,
        token,
        timeoutSeconds,
        heartbeatSeconds,
        ...(credentials && { credentials: yield* credentials(read) }),
      };
      const started = resource.kind !== 'activity';
      // Whether there is such an activity is not known here.
      if (started) {
        events.scheduled(transition, branch, request);
        events.started(transition, branch);
      }
      branch.waiting = {
        kind: 'task',
        task,
        request,
        ...(!started && { scheduled: false }),
        started,
        timeoutAt: timeoutSeconds === undefined ? undefined : transition.time + timeoutSeconds * 1000,
        // "For activities, the count begins when GetActivityTask receives a token".
        heartbeatAt: heartbeatSeconds === undefined || !started ? undefined : transition.time + heartbeatSeconds * 1000,
      };
      transition.execution.tasks.set(task, branch);
      transition.effects.push({ kind: 'dispatch', task, state: base.name, resource, request });
      return waits;
    },
  };
}

/** Checks the value that a path or an expression gives, when it is known. */
function positive(seconds: number | undefined, field: string, jsonata: boolean): number | undefined {
  if (seconds === undefined || seconds > 0) return seconds;
  const detail = `The ${field} field must be a positive integer, but was: ${seconds}`;
  throw jsonata
    ? new StateFailure(errorNames.queryEvaluationError, detail, { location: field, evaluation: true })
    : runtimeFailure(detail);
}

/** "Credentials": the role that the task's call is made with, in the place of the state machine's. */
function compileCredentials(fields: Json | undefined, jsonata: boolean): ((scope: Scope) => Steps<Json>) | undefined {
  if (fields === undefined) return undefined;
  if (jsonata) return compileQuery(fields, 'Credentials');
  const template = compileTemplate(fields);
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope) {
    return template(scope);
  };
}

/** A function or an activity is given the state's input; a service is asked with nothing but what the state says. */
function* requestBody({ kind }: TaskResource, args: DataFlow['arguments'], scope: Scope): Steps<Json> {
  if (args) return yield* args(scope);
  return kind === 'service' ? {} : scope.input;
}
