import { type Branch, roleOf, type TaskRequest } from '../../execution/execution';
import type { EventDetails } from '../../execution/history';
import type { TaskResource } from '../../execution/task-resource';
import type { Transition } from '../../execution/transition';
import type { Failure } from '../../language/errors';
import { type Json, jsonText } from '../../language/json';

/** The history events of a Task state's life. Each kind of resource has names and details of its own. */
export interface TaskEvents {
  scheduled(transition: Transition, branch: Branch, request: TaskRequest): void;
  started(transition: Transition, branch: Branch, worker?: string): void;
  submitted(transition: Transition, branch: Branch, output: Json): void;
  succeeded(transition: Transition, branch: Branch, output: Json): void;
  /** The call has failed that should have handed a job or a task token over. */
  notSubmitted(transition: Transition, branch: Branch, failure: Failure): void;
  failed(transition: Transition, branch: Branch, failure: Failure): void;
  timedOut(transition: Transition, branch: Branch, failure: Failure): void;
}

const limits = ({ timeoutSeconds, heartbeatSeconds }: TaskRequest): EventDetails => ({
  ...(timeoutSeconds !== undefined && { timeoutInSeconds: timeoutSeconds }),
  ...(heartbeatSeconds !== undefined && { heartbeatInSeconds: heartbeatSeconds }),
});

const credentials = (request: TaskRequest): EventDetails => {
  const role = roleOf(request);
  return role === undefined ? {} : { taskCredentials: { roleArn: role } };
};

const reason = ({ error, cause }: Failure): EventDetails => ({
  ...(error !== undefined && { error }),
  ...(cause !== undefined && { cause }),
});

const output = (value: Json): EventDetails => ({ output: jsonText(value), outputDetails: { truncated: false } });

/** `Task…` events carry the service and the action in every one of them. */
function serviceEvents({ service, action, pattern }: TaskResource): TaskEvents {
  const common = { resourceType: service, resource: action + pattern };
  return {
    scheduled: (transition, branch, request) =>
      transition.event(branch, 'TaskScheduled', () => ({
        ...common,
        region: transition.execution.identity.region,
        parameters: jsonText(request.parameters),
        ...limits(request),
        ...credentials(request),
      })),
    started: (transition, branch) => transition.event(branch, 'TaskStarted', () => common),
    submitted: (transition, branch, value) =>
      transition.event(branch, 'TaskSubmitted', () => ({ ...common, ...output(value) })),
    succeeded: (transition, branch, value) =>
      transition.event(branch, 'TaskSucceeded', () => ({ ...common, ...output(value) })),
    notSubmitted: (transition, branch, failure) =>
      transition.event(branch, pattern === '' ? 'TaskFailed' : 'TaskSubmitFailed', () => ({
        ...common,
        ...reason(failure),
      })),
    failed: (transition, branch, failure) =>
      transition.event(branch, 'TaskFailed', () => ({ ...common, ...reason(failure) })),
    timedOut: (transition, branch, failure) =>
      transition.event(branch, 'TaskTimedOut', () => ({ ...common, ...reason(failure) })),
  };
}

function plainEvents(prefix: 'LambdaFunction' | 'Activity', resource: string): TaskEvents {
  return {
    scheduled: (transition, branch, request) =>
      transition.event(branch, `${prefix}Scheduled`, () => ({
        resource,
        input: jsonText(request.parameters),
        inputDetails: { truncated: false },
        ...limits(request),
        ...credentials(request),
      })),
    started: (transition, branch, worker) =>
      transition.event(
        branch,
        `${prefix}Started`,
        prefix === 'Activity' ? () => (worker === undefined ? {} : { workerName: worker }) : undefined,
      ),
    submitted: () => undefined,
    succeeded: (transition, branch, value) => transition.event(branch, `${prefix}Succeeded`, () => output(value)),
    notSubmitted: (transition, branch, failure) => transition.event(branch, `${prefix}Failed`, () => reason(failure)),
    failed: (transition, branch, failure) => transition.event(branch, `${prefix}Failed`, () => reason(failure)),
    timedOut: (transition, branch, failure) => transition.event(branch, `${prefix}TimedOut`, () => reason(failure)),
  };
}

export function taskEvents(resource: TaskResource): TaskEvents {
  switch (resource.kind) {
    case 'lambda':
      return plainEvents('LambdaFunction', resource.arn);
    case 'activity':
      return plainEvents('Activity', resource.arn);
    case 'service':
      return serviceEvents(resource);
  }
}
