import { type Integration, type TaskCall, TaskError } from '../integrations/integration';
import type { Input } from '../interpreter/apply';
import type { TaskResource } from '../states/task-resource';
import { type Entry, executionArn } from './entry';
import type { Dispatch } from './executions';

export interface DispatcherOptions {
  /** Undefined where this engine has no such integration. */
  integration(resource: TaskResource, entry: Entry): Integration | undefined;
  /** Throws TaskError where the role may not make the call. */
  authorize(call: TaskCall): void;
  tell(entry: Entry, input: Input): void;
  scheduleActivity(entry: Entry, effect: Dispatch): void;
}

/** Carries tasks to the services and their answers back. */
export class Dispatcher {
  private readonly running = new Map<string, { controller: AbortController; stop: (() => void) | undefined }>();
  private stopped = false;

  constructor(private readonly options: DispatcherOptions) {}

  dispatch(entry: Entry, effect: Dispatch): void {
    if (this.stopped) return;
    if (effect.resource.kind === 'activity') this.options.scheduleActivity(entry, effect);
    else void this.run(entry, effect);
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
      principal: entry.revision.roleArn,
      executionArn: executionArn(entry),
      token: request.token,
      signal: controller.signal,
    };
    const tell = (input: Input) => {
      if (!controller.signal.aborted && !this.stopped) this.options.tell(entry, input);
    };
    try {
      const integration = this.options.integration(resource, entry);
      if (integration === undefined) throw unsupported(resource);
      let answer = submitted;
      if (answer === undefined) {
        this.options.authorize(call);
        answer = await integration.call(call);
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
      tell({ kind: 'failed', task, error: name, cause });
    } finally {
      this.running.delete(key);
    }
  }
}

const unsupported = ({ arn }: TaskResource) =>
  new TaskError('States.Runtime', `This engine has no integration for the resource '${arn}'`);
