import { roleOf } from '../execution/execution';
import type { TaskResource } from '../execution/task-resource';
import type { Dispatch } from '../execution/transition';
import type { Input } from '../interpreter/apply';
import { type Entry, executionArn } from './entry';
import { type Integration, type TaskCall, TaskError } from './integration';
import type { Mocks } from './mocks';

export interface DispatcherOptions {
  /** Undefined where this engine has no such integration. */
  integration(resource: TaskResource): Integration | undefined;
  mocks: Mocks | undefined;
  /** Throws TaskError where the role may not make the call. */
  authorize(call: TaskCall): void;
  tell(entry: Entry, input: Input): void;
  scheduleActivity(entry: Entry, effect: Dispatch): void;
}

/** Carries tasks to the services and their answers back. */
export class Dispatcher {
  private readonly running = new Map<string, { controller: AbortController; stop: (() => void) | undefined }>();
  /** The number of calls of each mocked state of an execution. */
  private readonly calls = new Map<string, number>();
  private stopped = false;
  /** The number of requests that a service has not answered yet. */
  calling = 0;

  constructor(private readonly options: DispatcherOptions) {}

  dispatch(entry: Entry, effect: Dispatch): void {
    if (this.stopped) return;
    if (this.mocked(entry, effect)) return;
    if (effect.resource.kind === 'activity') this.options.scheduleActivity(entry, effect);
    else void this.run(entry, effect);
  }

  /** Answers in the service's place where the execution's test case says so. */
  private mocked(entry: Entry, { task, state, resource }: Dispatch): boolean {
    if (entry.testCase === undefined) return false;
    const key = `${entry.serial}:${state}`;
    const call = this.calls.get(key) ?? 0;
    const response = this.options.mocks?.response(entry.revision.name, entry.testCase, state, call);
    if (response === undefined) return false;
    this.calls.set(key, call + 1);
    const tell = (input: Input) => this.options.tell(entry, input);
    if (resource.kind === 'activity') tell({ kind: 'started', task });
    if ('Throw' in response) tell({ kind: 'failed', task, error: response.Throw.Error, cause: response.Throw.Cause });
    else {
      if (resource.pattern !== '') tell({ kind: 'submitted', task, output: response.Return });
      tell({ kind: 'succeeded', task, output: response.Return });
    }
    return true;
  }

  /** Lets go of a task that has timed out, or whose execution has ended. */
  cancel(entry: Entry, task: number): void {
    const key = `${entry.serial}:${task}`;
    const running = this.running.get(key);
    if (running === undefined) return;
    this.running.delete(key);
    running.controller.abort();
    running.stop?.();
  }

  /** Nothing that is still under way is told to its execution any more: the next engine takes it up. */
  stop(): void {
    this.stopped = true;
    for (const { controller } of this.running.values()) controller.abort();
    this.running.clear();
  }

  private async run(entry: Entry, { task, resource, request, submitted }: Dispatch): Promise<void> {
    const key = `${entry.serial}:${task}`;
    const controller = new AbortController();
    const running: { controller: AbortController; stop: (() => void) | undefined } = { controller, stop: undefined };
    this.running.set(key, running);
    const call: TaskCall = {
      resource,
      parameters: request.parameters,
      principal: roleOf(request) ?? entry.revision.roleArn,
      executionArn: executionArn(entry),
      token: request.token,
      signal: controller.signal,
    };
    const tell = (input: Input) => {
      if (!controller.signal.aborted && !this.stopped) this.options.tell(entry, input);
    };
    let answer = submitted;
    try {
      const integration = this.options.integration(resource);
      if (integration === undefined) throw unsupported(resource);
      if (answer === undefined) {
        this.options.authorize(call);
        this.calling += 1;
        try {
          answer = await integration.call(call);
        } finally {
          this.calling -= 1;
        }
        if (resource.pattern === '') return tell({ kind: 'succeeded', task, output: answer });
        tell({ kind: 'submitted', task, output: answer });
        if (resource.pattern === '.waitForTaskToken') return;
      }
      if (integration.watch === undefined) throw unsupported(resource);
      const job = answer;
      running.stop = () => void integration.stop?.(call, job).catch(() => undefined);
      tell({ kind: 'succeeded', task, output: await integration.watch(call, job) });
    } catch (error) {
      const { error: name, cause } =
        error instanceof TaskError ? error : new TaskError('States.Runtime', String((error as Error).message));
      const notSubmitted = resource.pattern !== '' && answer === undefined;
      tell({ kind: 'failed', task, error: name, cause, ...(notSubmitted && { call: true }) });
    } finally {
      this.running.delete(key);
    }
  }
}

const unsupported = ({ arn }: TaskResource) =>
  new TaskError('States.Runtime', `This engine has no integration for the resource '${arn}'`);
