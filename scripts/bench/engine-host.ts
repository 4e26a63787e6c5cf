import { type Clock, movedClock, type StepFunctions, startStepFunctions } from 'vigil-stepfunctions';

/** The process that `scripts/bench/engine.ts` measures: an engine on a folder, its model and tool, and loops over its API. */

const rounds = 10;
const stepsPerRun = 2 * rounds;
const padding = 'x'.repeat(452);
const functionArn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

const agent = {
  StartAt: 'Model',
  States: {
    Model: { Type: 'Task', Resource: functionArn('model'), ResultPath: '$.model', Next: 'Decide' },
    Decide: {
      Type: 'Choice',
      Choices: [{ Variable: '$.model.tool', StringEquals: 'lookup', Next: 'Tool' }],
      Default: 'Done',
    },
    Tool: { Type: 'Task', Resource: functionArn('tool'), ResultPath: '$.tool', Next: 'More' },
    More: {
      Type: 'Choice',
      Choices: [{ Variable: '$.tool.i', NumericLessThan: rounds, Next: 'Model' }],
      Default: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};

const sleeper = {
  StartAt: 'Model',
  States: {
    Model: { Type: 'Task', Resource: functionArn('model'), ResultPath: '$.model', Next: 'Sleep' },
    Sleep: { Type: 'Wait', Seconds: 3600, End: true },
  },
};

const human = {
  StartAt: 'Ask',
  States: {
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } },
      End: true,
    },
  },
};

type CountingClock = Clock & { asleep(): number; advance(ms: number): void };

/** A clock that counts its sleepers: an alarm far ahead is a sleeping run. */
function countingClock(): CountingClock {
  const clock = movedClock();
  let asleep = 0;
  return {
    now: clock.now,
    asleep: () => asleep,
    advance: clock.advance,
    at(time, wake) {
      if (time - clock.now() > 1_800_000) asleep += 1;
      return clock.at(time, wake);
    },
  };
}

class Host {
  readonly finished = new Map<string, () => void>();
  ended = 0;
  private readonly asked: ((token: string) => void)[] = [];
  private readonly machines = new Map<string, string>();

  constructor(
    readonly engine: StepFunctions,
    readonly clock: CountingClock,
  ) {}

  static async start(directory: string): Promise<Host> {
    const clock = countingClock();
    let host: Host | undefined;
    const engine = await startStepFunctions({
      directory,
      clock,
      services: {
        invokeLambda: async ({ functionName, payload }) => ({ payload: host!.answer(functionName, payload) }),
      },
      async onStatusChange({ detail }) {
        if (detail.status === 'RUNNING') return;
        host!.ended += 1;
        host!.finished.get(detail.executionArn)?.();
      },
    });
    host = new Host(engine, clock);
    await host.machine('agent', agent);
    await host.machine('sleeper', sleeper);
    await host.machine('human', human);
    return host;
  }

  /** The model and the tool answer at once with about 500 bytes of JSON. */
  private answer(functionName: string, payload: string): string {
    const input = JSON.parse(payload);
    if (functionName === 'ask') {
      this.asked.shift()!(input.token);
      return 'null';
    }
    if (functionName === functionArn('model')) {
      return JSON.stringify({ role: 'assistant', i: input.tool.i, tool: 'lookup', content: padding });
    }
    return JSON.stringify({ role: 'tool', i: input.model.i + 1, ok: true, content: padding });
  }

  private async machine(name: string, definition: object): Promise<void> {
    const { stateMachineArn } = await this.call('CreateStateMachine', {
      name,
      definition: JSON.stringify(definition),
      roleArn: 'arn:aws:iam::123456789012:role/bench',
    });
    this.machines.set(name, stateMachineArn!);
  }

  private async call(action: string, body: object): Promise<Record<string, string>> {
    const { status, body: answer } = await this.engine.call(action, body);
    if (status !== 200) throw new Error(JSON.stringify(answer));
    return answer as Record<string, string>;
  }

  /** Starts a run. Calls `end` when it has finished. */
  begin(machine: string, name: string, end?: () => void): Promise<unknown> {
    const stateMachineArn = this.machines.get(machine)!;
    if (end) this.finished.set(`${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`, end);
    return this.call('StartExecution', { stateMachineArn, name, input: '{"tool":{"i":0}}' });
  }

  run(machine: string, name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.begin(machine, name, resolve).catch(reject);
    });
  }

  /** Returns the milliseconds from the answer to the end of the run. */
  async callback(name: string): Promise<number> {
    const token = new Promise<string>((resolve) => this.asked.push(resolve));
    const ended = this.run('human', name);
    const taskToken = await token;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const begun = performance.now();
    await this.call('SendTaskSuccess', { taskToken, output: '{"answer":"yes"}' });
    await ended;
    return performance.now() - begun;
  }
}

async function pool(count: number, limit: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, worker));
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

const tasks: Record<string, (host: Host, parameters: { count: number }) => Promise<Record<string, number>>> = {
  async idle() {
    return {};
  },
  async steps(host) {
    for (let i = 0; i < 3; i += 1) await host.run('agent', `warm-${i}`);
    const perStep: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const begun = performance.now();
      await host.run('agent', `sequential-${i}`);
      perStep.push((performance.now() - begun) / stepsPerRun);
    }
    const begun = performance.now();
    await pool(500, 50, (i) => host.run('agent', `concurrent-${i}`));
    const stepsPerSecond = Math.round((500 * stepsPerRun) / ((performance.now() - begun) / 1000));
    const callbacks: number[] = [];
    for (let i = 0; i < 100; i += 1) callbacks.push(await host.callback(`human-${i}`));
    return {
      msPerStep: Number(median(perStep).toFixed(3)),
      stepsPerSecond,
      callbackMs: Number(median(callbacks).toFixed(2)),
    };
  },
  async sleepers(host, { count }) {
    const begun = performance.now();
    await pool(count, 50, (i) => host.begin('sleeper', `sleeper-${i}`));
    await asleep(host, count);
    return { seconds: (performance.now() - begun) / 1000 };
  },
  async asleep(host, { count }) {
    await asleep(host, count);
    return {};
  },
  /** Moves the clock by more than an hour. */
  async wake(host, { count }) {
    const begun = performance.now();
    host.clock.advance(3_700_000);
    while (host.ended < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return { seconds: (performance.now() - begun) / 1000 };
  },
};

async function asleep(host: Host, count: number): Promise<void> {
  while (host.clock.asleep() < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

const started = Host.start(process.argv[2]!);
process.on('message', ({ what, parameters }: { what: string; parameters: { count: number } }) => {
  void started.then(async (host) => {
    process.send!(await tasks[what]!(host, parameters));
  });
});
process.on('disconnect', () => process.exit(0));
