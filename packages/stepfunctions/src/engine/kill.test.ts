import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

/** `KILL_ROUNDS=50` for the long form. */
const rounds = Number(process.env.KILL_ROUNDS ?? 2);

const functionArn = 'arn:aws:lambda:us-east-1:123456789012:function:echo';
const branch = (name: string) => ({
  StartAt: name,
  States: { [name]: { Type: 'Task', Resource: functionArn, End: true } },
});
const definition = {
  StartAt: 'Work',
  States: {
    Work: { Type: 'Task', Resource: functionArn, ResultPath: '$.work', Next: 'Sleep' },
    Sleep: { Type: 'Wait', Seconds: 1, Next: 'Ask' },
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } },
      TimeoutSeconds: 600,
      Next: 'Both',
    },
    Both: { Type: 'Parallel', Branches: [branch('Left'), branch('Right')], End: true },
  },
};

interface Answer {
  status: number;
  body: Record<string, unknown>;
}
interface Event {
  id: number;
  type: string;
  timestamp: number;
}

/** An engine in a process of its own, spoken to over IPC. */
class Victim {
  private readonly calls = new Map<number, (answer: Answer | undefined) => void>();
  private last = 0;
  private constructor(private readonly child: ChildProcess) {}

  static async start(
    script: string,
    directory: string,
    hear: (victim: Victim, message: Record<string, never>) => void,
  ): Promise<Victim> {
    const child = fork(script, [directory], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
    const victim = new Victim(child);
    child.once('exit', () => {
      for (const resolve of victim.calls.values()) resolve(undefined);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the engine did not start')));
      child.on('message', (message: { ready?: true; id?: number; answer?: Answer }) => {
        if (message.ready) resolve();
        else if (message.id !== undefined) victim.calls.get(message.id)?.(message.answer);
        else hear(victim, message as Record<string, never>);
      });
    });
    return victim;
  }

  /** Undefined where the process died before it answered. */
  call(action: string, body: object): Promise<Answer | undefined> {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve) => {
      this.calls.set(id, resolve);
      if (this.child.connected) this.child.send({ id, action, body }, (error) => error && resolve(undefined));
      else resolve(undefined);
    });
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

describe('an engine that is killed again and again under load', () => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'vigil-kill-'));
  // Inside node_modules, where what is not bundled can be found from.
  const script = path.join(__dirname, `../../../../node_modules/.cache/killed-host-${process.pid}.cjs`);
  const directory = path.join(scratch, 'state');
  const stateMachineArn = 'arn:aws:states:us-east-1:123456789012:stateMachine:victim';
  const executionArn = (name: string) => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  /** What the engine has said; none of it may ever be taken back. */
  const acknowledged = new Set<string>();
  const histories = new Map<string, Event[]>();
  const unanswered = new Set<string>();
  const statuses = new Map<string, Set<string>>();
  let victim: Victim;

  beforeAll(() => {
    const entryPoints = [path.join(__dirname, '../../test/killed-host.ts')];
    buildSync({
      entryPoints,
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['classic-level'],
      logLevel: 'error',
    });
  });
  afterAll(() => {
    fs.rmSync(scratch, { recursive: true });
    fs.rmSync(script);
  });

  const hear = (from: Victim, { token, event }: { token?: string; event?: { name: string; status: string } }) => {
    if (token !== undefined) {
      unanswered.add(token);
      void answer(from, token);
    }
    if (event === undefined) return;
    const seen = statuses.get(event.name) ?? new Set();
    statuses.set(event.name, seen.add(event.status));
  };

  /** The world keeps a token until its answer has been taken. */
  async function answer(by: Victim, taskToken: string): Promise<void> {
    const taken = await by.call('SendTaskSuccess', { taskToken, output: '{"answer":"yes"}' });
    if (taken !== undefined) unanswered.delete(taskToken);
  }

  async function read(name: string): Promise<Event[] | undefined> {
    const answer = await victim.call('GetExecutionHistory', { executionArn: executionArn(name), maxResults: 1000 });
    if (answer === undefined) return undefined;
    expect([answer.status, answer.status === 200 ? '' : answer.body]).toEqual([200, '']);
    const events = answer.body.events as Event[];
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    const before = histories.get(name) ?? [];
    expect(events.slice(0, before.length)).toEqual(before);
    histories.set(name, events);
    return events;
  }

  /** Until the engine is gone. */
  async function load(round: number): Promise<void> {
    for (let i = 0; ; i += 1) {
      const name = `r${round}-${i}`;
      const answer = await victim.call('StartExecution', { stateMachineArn, name, input: `{"round":${round}}` });
      if (answer === undefined) return;
      expect([answer.status, answer.status === 200 ? '' : answer.body]).toEqual([200, '']);
      acknowledged.add(name);
      const known = [...acknowledged];
      await read(known[Math.floor(Math.random() * known.length)]!);
      // Otherwise a round begins hundreds, each of which is then read until its end.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test(
    `loses nothing and doubles nothing in ${rounds} rounds`,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        victim = await Victim.start(script, directory, hear);
        const created = await victim.call('CreateStateMachine', {
          name: 'victim',
          roleArn: 'arn:aws:iam::123456789012:role/r',
          definition: JSON.stringify(definition),
        });
        expect(created?.status).toBe(200);
        const before = acknowledged.size;
        const loads = Promise.all([0, 1, 2].map((lane) => load(round * 10 + lane)));
        // A machine that is slow takes longer to have something to lose. What fails in a lane fails the test.
        const enough = async () => {
          while (acknowledged.size <= before + 5) await new Promise((resolve) => setTimeout(resolve, 10));
        };
        await Promise.race([enough(), loads]);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
        await victim.kill();
        await loads;
      }
      victim = await Victim.start(script, directory, hear);
      expect(acknowledged.size).toBeGreaterThan(rounds * 5);
      for (const token of unanswered) await answer(victim, token);
      const open = new Set(acknowledged);
      const deadline = Date.now() + 200_000;
      while (open.size > 0 && Date.now() < deadline) {
        for (const name of open) if ((await read(name))?.at(-1)?.type === 'ExecutionSucceeded') open.delete(name);
        // Each sleeps for a second.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      expect([...open]).toEqual([]);
      for (const name of acknowledged) {
        const events = histories.get(name)!;
        const times = Object.fromEntries(events.map(({ type, timestamp }) => [type, timestamp]));
        expect(times.WaitStateExited! - times.WaitStateEntered!).toBeGreaterThanOrEqual(1);
        expect(events.filter(({ type }) => type === 'LambdaFunctionSucceeded')).toHaveLength(3);
        expect(events.filter(({ type }) => type === 'TaskSucceeded')).toHaveLength(1);
      }
      while ([...acknowledged].some((name) => !statuses.get(name)?.has('SUCCEEDED')) && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      for (const name of acknowledged) expect([...statuses.get(name)!].sort()).toEqual(['RUNNING', 'SUCCEEDED']);
      await victim.kill();
    },
    240_000 + rounds * 3_000,
  );

  // It takes all the time that an expression may.
  test('while an expression does not end: the next one fails it, and does not make it again (R196)', async () => {
    const folder = path.join(scratch, 'endless');
    // It looks ahead, so it is left to V8, which would need years.
    const condition = "{% $contains($pad('a', -60, 'a') & 'b', /^(?=a)(a+)+$/) %}";
    const endless = {
      QueryLanguage: 'JSONata',
      StartAt: 'Sleep',
      States: {
        Sleep: { Type: 'Wait', Seconds: 1, Next: 'Look' },
        Look: { Type: 'Choice', Choices: [{ Condition: condition, Next: 'Done' }], Default: 'Done' },
        Done: { Type: 'Succeed' },
      },
    };
    const start = () => Victim.start(script, folder, () => undefined);
    victim = await start();
    const fields = { name: 'victim', roleArn: 'arn:aws:iam::123456789012:role/r', definition: JSON.stringify(endless) };
    await victim.call('CreateStateMachine', fields);
    await victim.call('StartExecution', { stateMachineArn, name: 'endless' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await victim.kill();
    victim = await start();
    const events = async () => {
      const answer = await victim.call('GetExecutionHistory', { executionArn: executionArn('endless') });
      return answer!.body.events as Event[];
    };
    const types = async () => (await events()).map(({ type }) => type);
    while (!(await types()).includes('ExecutionFailed')) await new Promise((resolve) => setTimeout(resolve, 100));
    const described = await victim.call('DescribeExecution', { executionArn: executionArn('endless') });
    expect(described!.body).toMatchObject({
      error: 'States.QueryEvaluationError',
      cause: expect.stringContaining('Expression evaluation timeout: Check for infinite loop'),
    });
    const before = await events();
    await victim.kill();
    victim = await start();
    // It has failed once, and is not evaluated again.
    expect(await events()).toEqual(before);
    expect((await types()).slice(-2)).toEqual(['EvaluationFailed', 'ExecutionFailed']);
    await victim.kill();
  });
});
