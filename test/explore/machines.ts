import {
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { EndedBy } from '../../core/rollback/settle-execution';
import type {
  AskRequest,
  CallRef,
  CaughtError,
  LoopInput,
  LoopOutput,
  SegmentInput,
  ToolRequest,
} from '../../core/state/loop-state';
import type { RollbackInput, RollbackOutput } from '../../core/state/rollback-state';
import type { TimerInput, TimerOutput } from '../../core/state/timer-state';
import { modelRetriers, patientRetriers, settleRetriers, toolRetriers } from '../../statemachines/retriers';
import type { Retrier } from '../../statemachines/states';
import { type Command, named } from './memory-table';
import type { Invocation, World } from './world';

/** The functions that the machines invoke, as the Lambdas do. */
export interface Functions {
  CallModel(invocation: Invocation, input: LoopInput): Promise<LoopOutput>;
  tool(invocation: Invocation, name: string, request: ToolRequest): Promise<unknown>;
  Ask(invocation: Invocation, request: AskRequest): Promise<unknown>;
  Settle(invocation: Invocation, input: MachineInput, how: { by: EndedBy; reason: string }): Promise<unknown>;
  NextUndo(invocation: Invocation, input: RollbackInput): Promise<RollbackOutput>;
  FireTimer(invocation: Invocation, input: TimerInput): Promise<TimerOutput>;
  retryOf(tool: string): Parameters<typeof toolRetriers>[0];
}

interface Execution {
  name: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';
}

type Ids = Pick<ToolRequest, 'conversationId' | 'runId'>;

type Machine = 'loop' | 'rollback' | 'timer';
type MachineInput = SegmentInput | RollbackInput | TimerInput;

/** What the functions that drive them find in their environment. */
export const machineVariables = {
  STATE_MACHINE_ARN: 'arn:aws:states:none:0:stateMachine:loop',
  ROLLBACK_MACHINE_ARN: 'arn:aws:states:none:0:stateMachine:rollback',
  TIMER_MACHINE_ARN: 'arn:aws:states:none:0:stateMachine:timer',
};

/** The three state machines, as their definitions have them, and the Step Functions API as far as core's drivers use it. */
export class Machines {
  readonly executions = new Map<string, Execution>();
  private tokens = new Map<string, (result: { next: string } | CaughtError) => void>();
  private serial = 0;

  constructor(
    private readonly world: World,
    private readonly functions: Functions,
  ) {}

  /** What a function's own client of Step Functions does is a request like any other. */
  client(invocation: Invocation): SFNClient {
    const send = (command: Command) =>
      this.world.request(
        `${invocation.name} ${nameOf(command)}`,
        invocation,
        ['dies-before', 'dies-after', 'zombie', 'throttled'],
        () => this.perform(command),
      );
    return { send } as unknown as SFNClient;
  }

  private perform(command: Command): object {
    const given = command.input as unknown as Record<string, string>;
    if (command instanceof StartExecutionCommand)
      this.start(given.stateMachineArn!.split(':').at(-1) as Machine, given.name!, JSON.parse(given.input!));
    else if (command instanceof StopExecutionCommand) this.stop(given.executionArn!.split(':').at(-1)!);
    else {
      const tell = this.tokens.get(given.taskToken!);
      if (!tell) throw named('TaskTimedOut');
      this.tokens.delete(given.taskToken!);
      tell({ next: JSON.parse(given.output!) });
    }
    return {};
  }

  start(machine: Machine, name: string, input: MachineInput): void {
    if (this.executions.has(name)) throw named('ExecutionAlreadyExists');
    const execution: Execution = { name, status: 'RUNNING' };
    this.executions.set(name, execution);
    this.world.count(`starts ${machine}`);
    const made =
      machine === 'loop'
        ? () => this.loop(execution, input as SegmentInput)
        : machine === 'rollback'
          ? () => this.rollback(execution, input as RollbackInput)
          : () => this.timer(execution, input as TimerInput);
    this.world.begin(async () => {
      try {
        await made();
        if (execution.status === 'RUNNING') execution.status = 'SUCCEEDED';
      } catch (error) {
        if (error === aborted) return;
        execution.status = 'FAILED';
        this.world.count(`failed ${machine}`);
        // The rule tells Settle of each that does not end by itself.
        await this.settle(input, 'FAILED', (error as Error).message);
      }
    });
  }

  /** An execution that breaks off for a reason of Step Functions' own, such as a quota. */
  breakOff(runId: string): void {
    const running = [...this.executions.values()].filter(
      ({ name, status }) => status === 'RUNNING' && name.startsWith(`${runId}-`) && !name.includes('-hold-'),
    );
    for (const execution of running) {
      execution.status = 'FAILED';
      this.world.begin(() => this.settle(this.inputs.get(execution.name)!, 'FAILED', 'It broke off.'));
    }
  }

  private stop(name: string): void {
    const execution = this.executions.get(name);
    if (!execution) throw named('ExecutionDoesNotExist');
    if (execution.status !== 'RUNNING') return;
    execution.status = 'ABORTED';
    this.world.count('aborted');
    this.world.begin(() => this.settle(this.inputs.get(name)!, 'ABORTED', 'The execution was stopped from outside.'));
  }
  private inputs = new Map<string, MachineInput>();

  private async settle(input: MachineInput, by: EndedBy, reason: string): Promise<void> {
    await this.patiently(
      settleRetriers,
      'Settle',
      (invocation) => this.functions.Settle(invocation, input, { by, reason }),
      () => false,
    );
  }

  private async loop(execution: Execution, input: SegmentInput): Promise<void> {
    this.inputs.set(execution.name, input);
    let payload: LoopInput = input;
    for (;;) {
      let out: LoopOutput;
      try {
        out = await this.task(execution, modelRetriers(), 'CallModel', (one) => this.functions.CallModel(one, payload));
      } catch (error) {
        if (error === aborted) throw error;
        await this.settle(payload, 'FAILING', (error as Error).message);
        throw error;
      }
      if (out.next === 'done') return;
      if (out.next === 'continue') return this.continueAs(execution, 'loop', out.execution!, pickIds(out));
      if (out.next === 'wait') await this.wait(execution, Date.parse(out.call!.until!));
      const ids = { conversationId: out.conversationId, runId: out.runId };
      if (out.next === 'many')
        payload = { ...out, calls: await Promise.all(out.calls!.map((ref) => this.inMap(execution, ids, ref))) };
      else if (out.call && out.next !== 'wait') payload = { ...out, ...(await this.serve(execution, ids, out.call)) };
      else payload = out;
    }
  }

  /** One call in the loop: its tool, or the wait for an answer. */
  private async serve(execution: Execution, ids: Ids, ref: CallRef): Promise<{ error?: CaughtError }> {
    try {
      if (ref.next.startsWith('tool:')) await this.tool(execution, ref.next.slice(5), { ...ids, callId: ref.callId });
      else await this.answer(execution, ids, ref);
      return {};
    } catch (error) {
      if (error === aborted) throw error;
      return { error: caught(error) };
    }
  }

  /** One of several calls: an approved one goes on to its tool at once. */
  private async inMap(execution: Execution, ids: Ids, ref: CallRef) {
    let at = ref;
    try {
      if (at.next === 'approval') at = { ...at, next: await this.answer(execution, ids, at) };
      else if (at.next === 'callback') await this.answer(execution, ids, at);
      if (at.next.startsWith('tool:')) await this.tool(execution, at.next.slice(5), { ...ids, callId: at.callId });
      return at;
    } catch (error) {
      if (error === aborted) throw error;
      return { ...at, error: caught(error) };
    }
  }

  private tool(execution: Execution, name: string, request: ToolRequest) {
    const retriers = toolRetriers(this.functions.retryOf(name));
    return this.task(execution, retriers, `${request.undo ? 'undo ' : ''}${name}`, (one, retries) =>
      this.functions.tool(one, name, { ...request, retries }),
    );
  }

  private async answer(execution: Execution, ids: Ids, ref: CallRef): Promise<string> {
    const taskToken = `token ${++this.serial}`;
    const told = new Promise<{ next: string } | CaughtError>((resolve) => this.tokens.set(taskToken, resolve));
    await this.task(execution, settleRetriers, 'Ask', (one) =>
      this.functions.Ask(one, { ...ids, callId: ref.callId, taskToken }),
    );
    const waits = this.world.time + ref.timeoutSeconds! * 1_000;
    this.world.begin(async () => {
      await this.world.sleep(waits, () => !this.tokens.has(taskToken) || execution.status !== 'RUNNING');
      this.tokens.get(taskToken)?.({ Error: 'States.Timeout' });
      this.tokens.delete(taskToken);
    });
    const result = await told;
    if (execution.status !== 'RUNNING') throw aborted;
    if ('Error' in result) throw named(result.Error);
    return result.next;
  }

  private async rollback(execution: Execution, input: RollbackInput): Promise<void> {
    this.inputs.set(execution.name, input);
    if (input.at) await this.wait(execution, Date.parse(input.at));
    let payload = input;
    for (;;) {
      const out = await this.task(execution, patientRetriers, 'NextUndo', (one) =>
        this.functions.NextUndo(one, payload),
      );
      payload = out;
      if (out.next === 'wait') await this.wait(execution, Date.parse(out.until!));
      else if (out.next === 'continue')
        return this.continueAs(execution, 'rollback', out.execution!, { ...input, at: undefined });
      else if (out.next.startsWith('undo:')) {
        const { conversationId, runId } = out;
        const name = out.next.slice(5);
        try {
          await this.tool(execution, name, { conversationId, runId, callId: out.call!.callId, undo: true });
        } catch (error) {
          if (error === aborted) throw error;
          payload = { ...out, error: caught(error) };
        }
      } else return;
    }
  }

  private async timer(execution: Execution, input: TimerInput): Promise<void> {
    this.inputs.set(execution.name, input);
    let payload = input;
    for (;;) {
      await this.wait(execution, Date.parse(payload.at));
      const out = await this.task(execution, patientRetriers, 'FireTimer', (one) =>
        this.functions.FireTimer(one, payload),
      );
      if (out.next === 'done') return;
      if (out.next === 'continue') return this.continueAs(execution, 'timer', out.execution!, out);
      payload = out;
    }
  }

  private async continueAs(execution: Execution, machine: Machine, name: string, input: MachineInput): Promise<void> {
    await this.world.request('Step Functions starts the next one', undefined, [], () => {
      if (execution.status !== 'RUNNING' || this.executions.has(name)) return;
      this.start(machine, name, input);
    });
  }

  private async wait(execution: Execution, until: number): Promise<void> {
    await this.world.sleep(until, () => execution.status !== 'RUNNING');
    if (execution.status !== 'RUNNING') throw aborted;
  }

  private async task<Answer>(
    execution: Execution,
    retriers: Retrier[],
    name: string,
    work: (invocation: Invocation, retries: number) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await this.patiently(retriers, name, work, () => execution.status !== 'RUNNING');
    if (execution.status !== 'RUNNING') throw aborted;
    return answer;
  }

  /** As a Task state: the first retrier that names the error decides. Duplicates of an invocation are made now and then. */
  private async patiently<Answer>(
    retriers: Retrier[],
    name: string,
    given: (invocation: Invocation, retries: number) => Promise<Answer>,
    isOver: () => boolean,
  ): Promise<Answer> {
    const used = retriers.map(() => 0);
    for (;;) {
      if (isOver()) throw aborted;
      const retries = used.reduce((sum, times) => sum + times, 0);
      const work = (invocation: Invocation) => given(invocation, retries);
      try {
        if (this.world.mayFail(0.03)) this.world.begin(() => this.invoke(`${name} again`, work).catch(() => undefined));
        return await this.invoke(name, work);
      } catch (error) {
        const { name: kind } = error as Error;
        const index = retriers.findIndex(({ ErrorEquals }) =>
          ErrorEquals.some((one) => one === kind || (one === 'States.TaskFailed' && kind !== 'States.Timeout')),
        );
        const retrier = retriers[index];
        if (!retrier || used[index]! >= (retrier.MaxAttempts ?? 3)) throw error;
        used[index]! += 1;
        await this.world.sleep(this.world.time + 2_000 * used[index]!, isOver);
      }
    }
  }

  /** Invokes a function; it may die, and who waits for it then hears of that. */
  invoke<Answer>(name: string, work: (invocation: Invocation) => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const invocation: Invocation = { name, dead: false, giveUp: reject };
      work(invocation).then(resolve, reject);
    });
  }
}

/** A bundler may rename classes. */
function nameOf(command: Command): string {
  if (command instanceof StartExecutionCommand) return 'StartExecutionCommand';
  if (command instanceof StopExecutionCommand) return 'StopExecutionCommand';
  if (command instanceof SendTaskSuccessCommand) return 'SendTaskSuccessCommand';
  throw new Error(`The machines know no such command: ${JSON.stringify(command.input)}`);
}

/** An execution that was stopped: nothing of it goes on. */
const aborted = named('aborted');

const caught = (error: unknown): CaughtError => ({ Error: (error as Error).name, Cause: (error as Error).message });

const pickIds = ({ conversationId, runId, segment, step }: SegmentInput): SegmentInput => ({
  conversationId,
  runId,
  segment,
  step,
});
