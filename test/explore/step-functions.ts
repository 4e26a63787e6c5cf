import {
  DescribeExecutionCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import {
  applies,
  apply,
  type Branch,
  compileProgram,
  type Dispatch,
  driveAtOnce,
  type Effect,
  type Execution,
  type Input,
  type Json,
  type JsonObject,
  nextAlarm,
  type Program,
  start,
} from 'vigil-stepfunctions/interpreter';
import type { AskRequest } from '../../core/base/state/loop-state';
import type { Tool } from '../../core/conversations/agent/tool';
import { notice } from '../../modules/notices/machine';
import { agentLoop } from '../../statemachines/agent-loop';
import { rollback } from '../../statemachines/rollback';
import { timer } from '../../statemachines/timer';
import { type Command, named } from './memory-table';
import type { Invocation, World } from './world';

/** A Lambda function: its placeholder in the definitions names it. */
export type LambdaFunction = (invocation: Invocation, event: never) => Promise<unknown>;

export type Machine = 'loop' | 'rollback' | 'timer' | 'notice';
export type Programs = Record<Machine, Program>;

/** Returns the state machines of a deployment with these tools, as its template has them. */
export function programsFor(tools: Tool[]): Programs {
  const compiled = (definition: object) => compileProgram(JSON.parse(JSON.stringify(definition)) as JsonObject);
  return {
    loop: compiled(agentLoop(tools)),
    rollback: compiled(rollback(tools)),
    timer: compiled(timer),
    notice: compiled(notice),
  };
}

const arnPrefix = 'arn:aws:states:none:000000000000:';
export const machineArn = (machine: Machine) => `${arnPrefix}stateMachine:${machine}`;

/** What the functions that drive the state machines find in their environment. */
export const machineVariables = {
  STATE_MACHINE_ARN: machineArn('loop'),
  ROLLBACK_MACHINE_ARN: machineArn('rollback'),
  TIMER_MACHINE_ARN: machineArn('timer'),
};

/** What an execution that waits for its token has told the function that keeps the token. */
type Asked = Pick<AskRequest, 'conversationId' | 'callId'>;

interface Running {
  name: string;
  machine: Machine;
  input: string;
  execution: Execution;
  /** Invalidates the alarm that was set before the last change. */
  changes: number;
  /** Step Functions has forgotten it. */
  isGone?: true;
}

/** Step Functions: the engine's interpreter runs the definitions that ship. The world decides when each request is made. */
export class StepFunctions {
  private readonly executions = new Map<string, Running>();
  private readonly tokens = new Map<string, { running: Running; task: number; asked: Asked }>();
  private readonly invocations = new Set<Invocation>();
  private serial = 0;

  constructor(
    private readonly world: World,
    /** Of the deployment, as it is now. */
    private readonly programs: () => Programs,
    private readonly functions: ReadonlyMap<string, LambdaFunction>,
  ) {}

  /** A function's client of Step Functions. */
  client(invocation: Invocation): SFNClient {
    const send = (command: Command) =>
      this.world.request(
        `${invocation.name} ${nameOf(command)}`,
        invocation,
        ['dies-before', 'dies-after', 'zombie', 'throttled'],
        () => {
          // That it is busy with tokens is nothing special, and costs no fault.
          if (command instanceof SendTaskSuccessCommand && this.world.random.chance(0.1))
            throw named('ThrottlingException');
          return this.perform(command);
        },
      );
    return { send } as unknown as SFNClient;
  }

  /** The executions that have not ended, with what they were told at their start. */
  active(): { name: string; machine: Machine; input: string; repeats: boolean }[] {
    const all = [...this.executions.values()].filter(({ execution }) => !execution.outcome);
    return all.map(({ name, machine, input, execution }) => ({
      name,
      machine,
      input,
      repeats: repeats(execution.root),
    }));
  }

  /** What executions wait for whose token has not come. */
  awaited(): (Asked & { name: string })[] {
    const all = [...this.tokens.values()];
    const open = all.filter(({ running: { execution }, task }) =>
      applies(execution, { kind: 'succeeded', task, output: {} }),
    );
    return open.map(({ running: { name }, asked }) => ({ ...asked, name }));
  }

  /** An execution breaks off for a reason of Step Functions' own, such as a quota: one of the loop or of a rollback. */
  breakOff(runId: string): void {
    const own = [...this.executions.values()].filter(
      ({ name }) => name.startsWith(`${runId}-`) && !name.includes('-hold-'),
    );
    for (const running of own) this.tell(running, { kind: 'abandon', cause: 'It broke off.' });
  }

  /** The table is restored elsewhere: nothing runs there, and nothing of what ran is known. */
  vanish(): void {
    for (const running of this.executions.values()) running.isGone = true;
    for (const invocation of this.invocations) {
      invocation.dead = true;
      invocation.giveUp(named('Lambda.Unknown'));
    }
    for (const known of [this.executions, this.tokens, this.invocations]) known.clear();
  }

  private perform(command: Command): object {
    const given = command.input as unknown as Record<string, string>;
    const nameIn = (arn: string) => arn.split(':').at(-1)!;
    if (command instanceof StartExecutionCommand) {
      this.start(nameIn(given.stateMachineArn!) as Machine, given.name!, given.input!);
      return {};
    }
    if (command instanceof SendTaskSuccessCommand) {
      const waiting = this.tokens.get(given.taskToken!);
      if (!waiting) throw named('TaskTimedOut');
      this.tokens.delete(given.taskToken!);
      this.tell(waiting.running, { kind: 'succeeded', task: waiting.task, output: JSON.parse(given.output!) as Json });
      return {};
    }
    const running = this.executions.get(nameIn(given.executionArn!));
    if (!running) throw named('ExecutionDoesNotExist');
    if (command instanceof StopExecutionCommand) this.tell(running, { kind: 'stop', cause: given.cause });
    return { status: running.execution.outcome?.status ?? 'RUNNING', cause: running.execution.outcome?.cause };
  }

  private start(machine: Machine, name: string, input: string): Running {
    const earlier = this.executions.get(name);
    if (earlier && !earlier.execution.outcome && earlier.input === input) return earlier;
    if (earlier) throw named('ExecutionAlreadyExists');
    this.world.count(`starts ${machine}`);
    this.serial += 1;
    const identity = {
      serial: this.serial,
      arn: `${arnPrefix}execution:${machine}:${name}`,
      name,
      input,
      roleArn: null,
      stateMachineArn: machineArn(machine),
      stateMachineName: machine,
      region: 'none',
      startTime: this.world.time,
      seed: String(this.world.random.below(1e9)),
    };
    const { execution, effects } = driveAtOnce(start(this.programs()[machine], identity));
    const running: Running = { name, machine, input, execution, changes: 0 };
    this.executions.set(name, running);
    this.act(running, effects);
    return running;
  }

  /** Lets something happen to an execution. */
  private tell(running: Running, input: Input): void {
    if (running.isGone || !applies(running.execution, input)) return;
    this.act(running, driveAtOnce(apply(running.execution, input, this.world.time)));
  }

  private act(running: Running, effects: Effect[]): void {
    running.changes += 1;
    for (const effect of effects) {
      if (effect.kind === 'dispatch') this.world.begin(() => this.dispatch(running, effect));
      else if (effect.kind === 'finished') this.finish(running, effect.outcome);
    }
    const alarm = nextAlarm(running.execution);
    if (alarm === undefined) return;
    const { changes } = running;
    const isOver = () => running.isGone === true || running.changes !== changes;
    this.world.begin(async () => {
      await this.world.sleep(alarm, isOver);
      if (!isOver()) this.tell(running, { kind: 'alarm' });
    });
  }

  private finish(running: Running, { status, error, cause }: NonNullable<Execution['outcome']>): void {
    if (status === 'SUCCEEDED') return;
    this.world.count(`${status.toLowerCase()} ${running.machine}`);
    if (running.machine === 'notice') return;
    // The rule tells Settle of each execution that does not end by itself. Lambda repeats what fails.
    const event = { detail: { status, input: running.input, error, cause } };
    this.world.begin(async () => {
      for (;;) {
        const settled = this.invoke('Settle', (invocation) =>
          this.functions.get('Settle')!(invocation, event as never),
        );
        const failed = await settled.then(
          () => undefined,
          ({ name }: Error) => name,
        );
        if (failed === undefined || failed === 'NotFound' || running.isGone) return;
        await this.world.sleepBeforeRepeat(2_000);
      }
    });
  }

  private async dispatch(running: Running, { task, resource, request }: Dispatch): Promise<void> {
    const parameters = request.parameters as JsonObject;
    try {
      if (resource.arn.includes(':lambda:invoke')) {
        const waits = resource.pattern === '.waitForTaskToken';
        const asked = parameters.Payload as unknown as Asked;
        if (waits) this.tokens.set(request.token, { running, task, asked });
        const Payload = await this.invokeFunction(String(parameters.FunctionName), parameters.Payload as JsonObject);
        this.tell(
          running,
          waits ? { kind: 'submitted', task, output: {} } : { kind: 'succeeded', task, output: { Payload } },
        );
      } else if (resource.arn.endsWith('states:startExecution')) {
        const { StateMachineArn, Name, Input } = parameters;
        const machine = String(StateMachineArn).split(':').at(-1) as Machine;
        await this.world.request('Step Functions starts the next one', undefined, [], () => {
          if (running.execution.outcome || running.isGone) return;
          this.start(machine, String(Name), JSON.stringify(Input));
        });
        this.tell(running, { kind: 'succeeded', task, output: {} });
      } else throw new Error(`The exploration has no ${resource.arn}.`);
    } catch (error) {
      const { name, message } = error as Error;
      const cause = JSON.stringify({ errorType: name, errorMessage: message });
      this.tell(running, { kind: 'failed', task, error: name, cause });
    }
  }

  /** Invokes a function. Now and then it is invoked a second time, whose answer is dropped. */
  private async invokeFunction(placeholder: string, payload: JsonObject): Promise<Json> {
    const name = placeholder.slice(2, -1);
    const label = payload.undo ? `undo ${name}` : name;
    const work = async (invocation: Invocation) => {
      const answer = await this.functions.get(name)!(invocation, copyOf(payload) as never);
      return copyOf((answer ?? null) as Json);
    };
    if (this.world.mayFail(0.03)) this.world.begin(() => this.invoke(`${label} again`, work).catch(() => undefined));
    return this.invoke(label, work);
  }

  /** Runs a function's process. If it dies, its caller gets an error. */
  invoke<Answer>(name: string, work: (invocation: Invocation) => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const invocation: Invocation = { name, dead: false, giveUp: reject };
      this.invocations.add(invocation);
      const over = () => this.invocations.delete(invocation);
      work(invocation).then(resolve, reject).finally(over);
    });
  }
}

/** A copy as it comes over the wire. `structuredClone` takes three times as long. */
const copyOf = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Whether a state of it has failed and is to be tried again. */
function repeats({ waiting }: Branch): boolean {
  if (waiting?.kind === 'children') return [...waiting.children.running.values()].some(repeats);
  return waiting?.kind === 'retry';
}

/** A bundler may rename classes. */
function nameOf(command: Command): string {
  if (command instanceof StartExecutionCommand) return 'StartExecutionCommand';
  if (command instanceof StopExecutionCommand) return 'StopExecutionCommand';
  if (command instanceof SendTaskSuccessCommand) return 'SendTaskSuccessCommand';
  if (command instanceof DescribeExecutionCommand) return 'DescribeExecutionCommand';
  throw new Error(`The exploration has no such command: ${JSON.stringify(command.input)}`);
}
