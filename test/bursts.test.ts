import * as z from 'zod';
import { defineAgent } from '../core/agent/agent';
import type { ModelRequest, Reply } from '../core/agent/model';
import { registry } from '../core/agent/registry';
import { defineTool } from '../core/agent/tool';
import { cancelRun } from '../core/conversation/cancel';
import { sendMessage } from '../core/conversation/send-message';
import { advance } from '../core/loop/advance';
import { runTool } from '../core/loop/run-tool';
import { settleExecution } from '../core/rollback/settle-execution';
import { createConversation } from '../core/runs/conversation';
import { LogReader, readLog } from '../core/runs/log';
import { segmentOf } from '../core/runs/run';
import { LoopInput, SegmentInput, ToolRequest } from '../core/state/loop-state';
import { noUsage } from '../core/state/schemas';
import { readMeta } from '../core/store/table';
import { ModelThrottled, ModelUnavailable, ToolFailed, ToolTerminal } from '../core/text/errors';
import { type StepFunctions, startStepFunctions } from '../local/stepfunctions';
import { movedClock } from '../local/stepfunctions/moved-clock';
import { agentLoop, type LoopKind } from '../statemachines/agent-loop';
import { agentBurst } from '../statemachines/burst';
import { functionId } from '../statemachines/function-id';
import type { StateMachineDefinition } from '../statemachines/states';
import { startTable } from './support/tables/table';

// The loop in bursts of Express executions: the real definitions, in the real engine, on a real table. Functions are called directly.

/** How often each call of a tool has run. */
const ran: string[] = [];
/** What a tool does next, by its name. */
const behaviour: Record<string, (() => Promise<unknown>) | undefined> = {};
const toolNamed = (name: string, effect: 'read' | 'once' | 'idempotent', timeoutSeconds = 30) =>
  defineTool({
    ...{ name, description: 'd', input: z.object({}), output: z.unknown(), effect, timeoutSeconds },
    retry: { maxAttempts: 1, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 60 },
    async execute() {
      ran.push(name);
      return (await behaviour[name]?.()) ?? 'done';
    },
  });
const nap = defineTool({
  ...{ kind: 'wait', name: 'nap', description: 'd', input: z.object({}) },
  until: (_input, now) => new Date(now.getTime() + 3_600_000),
});
const functions = [toolNamed('look', 'read'), toolNamed('pay', 'once'), toolNamed('ship', 'idempotent')];
const slow = toolNamed('slow', 'idempotent', 290);
const deployment = registry([
  defineAgent({
    ...{ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', limits: { steps: 500 } },
    tools: [...functions, slow, nap],
  }),
]);
const tools = [...deployment.tools.values()];
const calls = (...names: string[]): Reply => ({
  text: '',
  toolCalls: names.map((name, index) => ({ id: `${name}${index}`, name, arguments: '{}' })),
});
const words = (text: string): Reply => ({ text, toolCalls: [] });
const [second, minute] = [1_000, 60_000];

const clock = movedClock();
let table: Awaited<ReturnType<typeof startTable>>;
let engine: StepFunctions;
/** What the model answers, request by request. */
let script: ((request: ModelRequest) => Promise<Reply>)[];
let asked: number;
/** The inputs of CallModel. */
let steps: LoopInput[];
let refused: number;
let running = 0;
let serial = 0;

const arnOf = (machine: string) => `arn:aws:states:us-east-1:123456789012:stateMachine:${machine}`;
const now = () => new Date(clock.now());

async function callModel(payload: object) {
  const input = LoopInput.parse(payload);
  steps.push(input);
  return advance(
    {
      ...{ table, logs: new LogReader(table), registry: deployment, now, limits: {} },
      deadline: new AbortController().signal,
      until: input.burst && new Date(clock.now() + 5 * minute).toISOString(),
      model: {
        about: () => ({ model: 'm', maker: 'm' }),
        async reply(request) {
          asked += 1;
          return {
            ...(await (script.shift()?.(request) ?? words('Once more.'))),
            usage: { ...noUsage, modelCalls: 1 },
          };
        },
      },
    },
    input,
  );
}

async function invoke(functionName: string, payload: object): Promise<unknown> {
  const name = functionName.split(':').at(-1)!;
  if (name === 'CallModel') return callModel(payload);
  if (name === 'Settle') {
    const { error } = payload as { error: { Error: string; Cause: string } };
    const at = SegmentInput.parse(payload);
    await settleExecution(table, deployment, at, { by: 'FAILING', reason: error.Cause }, now());
    return error;
  }
  const tool = [...functions, slow].find((one) => functionId(one.name) === name)!;
  return runTool({ table, now }, tool, ToolRequest.parse(payload));
}

beforeAll(async () => {
  table = await startTable();
  engine = await startStepFunctions({
    clock,
    services: {
      async invokeLambda({ functionName, payload }) {
        running += 1;
        try {
          return { payload: JSON.stringify((await invoke(functionName, JSON.parse(payload))) ?? null) };
        } catch (error) {
          const { name, message } = error as Error;
          return { payload: JSON.stringify({ errorType: name, errorMessage: message }), functionError: 'Unhandled' };
        } finally {
          running -= 1;
        }
      },
    },
    authorize({ action }) {
      if (action !== 'states:StartSyncExecution' || refused === 0) return;
      refused -= 1;
      throw new Error('Rate exceeded');
    },
  });
  expect(await create('AgentBurst', agentBurst(tools), 'EXPRESS')).toMatchObject({ status: 200 });
  expect(await create('AgentLoop', agentLoop(tools, 'express'), 'STANDARD')).toMatchObject({ status: 200 });
  const impatient = agentLoop(tools, 'express');
  Object.assign(impatient.States.Burst!, { TimeoutSeconds: 20 });
  expect(await create('LostAnswer', impatient, 'STANDARD')).toMatchObject({ status: 200 });
});
afterAll(async () => {
  await engine.stop();
  await table.stop();
  clock.stop();
});
beforeEach(() => {
  [script, asked, steps, refused, running] = [[], 0, [], 0, 0];
  ran.length = 0;
  for (const name of Object.keys(behaviour)) delete behaviour[name];
});

const roleArn = 'arn:aws:iam::123456789012:role/r';
/** Writes a definition with its ARNs. `burst` is the name of the Express machine. */
const filled = (definition: object, burst = 'AgentBurst'): string =>
  JSON.stringify(definition).replace(/\$\{(\w+)\}/g, (_all, name: string) =>
    name === 'AgentBurst' ? arnOf(burst) : `arn:aws:lambda:us-east-1:123456789012:function:${name}`,
  );
const create = (name: string, definition: StateMachineDefinition, type: string, burst?: string) =>
  engine.call('CreateStateMachine', { name, roleArn, type, definition: filled(definition, burst) });

async function started(machine = 'AgentLoop') {
  const id = `b${++serial}`;
  const { meta } = await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello' }, now());
  const { name, input } = segmentOf(meta)!;
  const { body } = await engine.call('StartExecution', {
    stateMachineArn: arnOf(machine),
    name,
    input: JSON.stringify(input),
  });
  const { executionArn } = body as { executionArn: string };
  const look = async () =>
    (await engine.call('DescribeExecution', { executionArn })).body as {
      status: string;
      error?: string;
      cause?: string;
    };
  return {
    ...{ id, executionArn, look },
    run: async () => (await readMeta(table, id))!.run!,
    log: () => readLog(table, id),
    async states() {
      const { body: history } = await engine.call('GetExecutionHistory', { executionArn, maxResults: 1_000 });
      const { events } = history as { events: { stateEnteredEventDetails?: { name: string } }[] };
      return events.flatMap(({ stateEnteredEventDetails: entered }) => entered?.name ?? []);
    },
    /** Waits for the end. */
    async ended(wait = until) {
      await wait(async () => (await look()).status !== 'RUNNING');
      return look();
    },
  };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await soon();
}

/** Moves the clock, for the pauses between attempts, while no function runs. */
async function moving(holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    if (running <= 0) clock.advance(5 * second);
    return false;
  });
}

/** A promise that the test settles. */
function pending<Value>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const replies = (...list: Reply[]) => list.map((reply) => async () => reply);

test('a run of many steps costs one transition (R182, R183)', async () => {
  script = replies(calls('look'), calls('pay'), calls('look', 'ship'), calls('look'), words('Done.'));
  const run = await started();
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst']);
  expect(await run.run()).toMatchObject({ status: 'done', step: 5, usage: { modelCalls: 5, toolCalls: 5 } });
  expect(ran.sort()).toEqual(['look', 'look', 'look', 'pay', 'ship']);
});

test('a wait is left to the Standard execution, which sleeps and starts another burst (R182)', async () => {
  script = replies(calls('look'), calls('look', 'nap'), words('Good morning.'));
  const run = await started();
  await until(async () => (await run.states()).includes('Sleep'));
  // The two steps count little. What the Standard execution does after them is counted in full.
  expect((await run.run()).segmentEvents).toBeGreaterThan(100);
  clock.advance(61 * minute);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'Sleep', 'Burst']);
  expect(asked).toBe(3);
});

test('a message during a burst is read by its next step (R182)', async () => {
  const looking = pending<void>();
  behaviour.look = () => looking.promise;
  script = replies(calls('look'), words('Both.'));
  const run = await started();
  await until(() => ran.length === 1);
  await sendMessage(table, deployment.agents, run.id, { user: 'ada', text: 'One more thing' }, now());
  looking.resolve();
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  const { messages } = await run.log();
  expect(messages.find(({ text }) => text === 'One more thing')).toMatchObject({ status: 'complete' });
  expect(await run.states()).toEqual(['Burst']);
});

test('what may not end within the burst is left: a slow tool, and a model call in the last minute (R182)', async () => {
  const looking = pending<void>();
  script = replies(calls('slow'), calls('look'), words('Done.'));
  behaviour.look = () => looking.promise;
  const run = await started();
  await until(() => ran.includes('look'));
  clock.advance(250 * second);
  looking.resolve();
  // The tool's own state in the burst timed out meanwhile and tries again.
  behaviour.look = undefined;
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect((await run.states()).slice(0, 5)).toEqual(['Burst', 'CallModel', 'Route', 'slow', 'Burst']);
  expect(ran[0]).toBe('slow');
  expect(asked).toBe(3);
});

test('a burst that times out during a model call: the reply is waited for, and the model is asked once (R182)', async () => {
  const thinking = pending<Reply>();
  const streaming = ({ onText }: ModelRequest) => {
    onText('First ');
    return thinking.promise.then((reply) => {
      onText('and second.');
      return reply;
    });
  };
  script = [async () => calls('look'), streaming, async () => words('Done.')];
  const run = await started();
  await until(() => asked === 2);
  clock.advance(301 * second);
  // The Standard execution has found the call that still runs.
  await until(() => steps.filter(({ left }) => left).length > 0);
  thinking.resolve({ ...calls('pay'), text: 'First and second.' });
  await until(async () => (await run.run()).step === 2);
  await moving(() => ran.includes('pay'));
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(asked).toBe(3);
  expect(ran).toEqual(['look', 'pay']);
  const { messages } = await run.log();
  expect(messages.filter(({ text }) => text.includes('First'))).toMatchObject([
    { text: 'First and second.', status: 'complete' },
  ]);
});

test('a function that died with its burst is not waited for longer than it can live (R182)', async () => {
  const dead = pending<Reply>();
  script = [() => dead.promise, async () => words('Done.')];
  const run = await started();
  await until(() => asked === 1);
  clock.advance(301 * second);
  await until(() => steps.some(({ left }) => left));
  running -= 1;
  await moving(() => asked === 2);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  // It was a function of this process: without an end it would keep the process alive.
  running += 1;
  dead.resolve(words('Late.'));
  await until(() => running === 0);
  expect(JSON.stringify(await run.log())).not.toContain('Late.');
});

test('a burst begins a `once` tool only if every attempt fits, so it does not run twice and no outcome is lost (R182)', async () => {
  const thinking = pending<Reply>();
  script = [() => thinking.promise, async () => words('Done.')];
  const run = await started();
  await until(() => asked === 1);
  clock.advance(230 * second);
  thinking.resolve(calls('pay'));
  const paying = pending<string>();
  behaviour.pay = () => paying.promise;
  await until(() => ran.length === 1);
  // The burst would have ended by now.
  clock.advance(30 * second);
  paying.resolve('paid');
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'pay', 'Burst']);
  expect(ran).toEqual(['pay']);
  expect((await run.log()).calls).toMatchObject([{ status: 'completed', attempts: 1 }]);
});

test('a burst that times out during the second attempt of a tool is continued by the tool’s own state (R182)', async () => {
  let attempts = 0;
  behaviour.ship = async () => {
    attempts += 1;
    if (attempts === 1) throw new ToolFailed('Try again.');
    return attempts === 2 ? new Promise(() => undefined) : 'shipped';
  };
  const thinking = pending<Reply>();
  script = [() => thinking.promise, async () => words('Done.')];
  const run = await started();
  await until(() => asked === 1);
  clock.advance(250 * second);
  thinking.resolve(calls('ship'));
  await until(() => attempts === 1);
  await moving(() => attempts === 2);
  clock.advance(49 * second);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'ship', 'Burst']);
  expect((await run.log()).calls).toMatchObject([{ status: 'completed', attempts: 3 }]);
});

test('if bursts cannot be started, the Standard execution makes the steps (R182)', async () => {
  refused = 100;
  script = replies(calls('look'), words('Done.'));
  const run = await started();
  // At once: nothing of a refused burst runs.
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual([
    ...['Burst', 'AwaitBurst', 'CallModel', 'Route', 'look'],
    ...['Burst', 'AwaitBurst', 'CallModel', 'Route', 'Done'],
  ]);
  expect(asked).toBe(2);
  expect(ran).toEqual(['look']);
});

test('if the answer of a burst is lost, the Standard execution goes on when it has certainly ended (R182)', async () => {
  const paying = pending<string>();
  behaviour.pay = () => paying.promise;
  script = replies(calls('pay'), words('Done.'));
  const run = await started('LostAnswer');
  await until(() => ran.length === 1);
  clock.advance(21 * second);
  await until(async () => (await run.states()).includes('AwaitBurst'));
  // The burst goes on, and nobody beside it.
  paying.resolve('paid');
  await until(async () => (await run.run()).status === 'done');
  clock.advance(5 * minute);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'AwaitBurst', 'CallModel', 'Route', 'Done']);
  expect([ran, asked]).toEqual([['pay'], 2]);
});

test('a run that is stopped during a burst: the burst changes nothing and ends at its next step (R182)', async () => {
  const thinking = pending<Reply>();
  script = [async () => calls('look'), () => thinking.promise];
  const run = await started();
  await until(() => asked === 2);
  await cancelRun(table, deployment.tools, { conversationId: run.id, user: 'ada' }, now());
  await engine.call('StopExecution', { executionArn: run.executionArn });
  const { messages } = await run.log();
  const before = steps.length;
  thinking.resolve(calls('pay'));
  // The reply's function answers; a burst that went on would call the tool.
  await until(async () => (await run.run()).usage.modelCalls === 2);
  await soon();
  expect([ran, steps.length]).toEqual([['look'], before]);
  expect((await run.log()).messages).toHaveLength(messages.length);
  expect(await run.look()).toMatchObject({ status: 'ABORTED' });
});

test('a busy model is asked as often as in the Standard loop, and its failure is the run’s (R182)', async () => {
  script = Array.from({ length: 20 }, () => async () => {
    throw new ModelThrottled('Busy.');
  });
  const run = await started();
  expect(await run.ended(moving)).toMatchObject({ status: 'FAILED', error: 'ModelThrottled' });
  expect(asked).toBe(9);
  expect(await run.run()).toMatchObject({ status: 'failed', reason: expect.stringContaining('Busy.') });
});

test('a failed attempt at a step is followed by the Standard execution’s at once (R182)', async () => {
  script = [
    async () => calls('look'),
    async () => {
      throw new ModelUnavailable('Down.');
    },
    ...replies(words('Done.')),
  ];
  const run = await started();
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'Done']);
  expect([ran, asked]).toEqual([['look'], 3]);
});

test('a permanent error ends the run in the burst; the execution fails with its reason, and the tool has run once (R182)', async () => {
  behaviour.look = async () => {
    throw new ToolTerminal('No licence.');
  };
  script = replies(calls('look'));
  const run = await started();
  expect(await run.ended()).toMatchObject({ status: 'FAILED', error: 'RunFailed' });
  expect(await run.run()).toMatchObject({ status: 'failed', reason: expect.stringContaining('No licence.') });
  expect((await run.look()).cause).toContain('No licence.');
  expect(ran).toEqual(['look']);
});

test('two executions beside each other make each step once (R182)', async () => {
  script = replies(calls('look'), calls('look'), words('Done.'), words('Done.'));
  const run = await started();
  const input = { conversationId: run.id, runId: (await run.run()).id, segment: 1, step: 0 };
  const twin = engine.call('StartSyncExecution', {
    stateMachineArn: arnOf('AgentBurst'),
    input: JSON.stringify(input),
  });
  await run.ended(moving);
  await twin;
  const { messages } = await run.log();
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength((await run.run()).step);
  expect(await run.run()).toMatchObject({ status: 'done' });
});

test('a second burst beside the first never runs a `once` tool again (R182)', async () => {
  const paying = pending<string>();
  behaviour.pay = () => paying.promise;
  script = replies(calls('pay'), words('Done.'));
  const run = await started();
  await until(() => ran.length === 1);
  const input = { conversationId: run.id, runId: (await run.run()).id, segment: 1, step: 0 };
  await engine.call('StartSyncExecution', { stateMachineArn: arnOf('AgentBurst'), input: JSON.stringify(input) });
  paying.resolve('paid');
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(ran).toEqual(['pay']);
  expect((await run.log()).calls).toMatchObject([{ status: 'unknown', attempts: 1 }]);
  expect(asked).toBe(2);
});

describe('what follows a request for a burst that has failed (R182)', () => {
  const ofService = (text: string, status: number) => ({
    error: 'Sfn.SfnException',
    cause: `${text} (Service: Sfn, Status Code: ${status}, Request ID: 1) (SDK Attempt Count: 1)`,
  });
  test.each([
    ['AWS throttles it: nothing runs', ofService('Rate exceeded', 400), 0],
    ['the role may not', ofService('Not authorized', 403), 0],
    ['the machine is gone', { ...ofService('Does not exist', 400), error: 'Sfn.StateMachineDoesNotExistException' }, 0],
    ['the service fails, and may have started it', ofService('Internal failure', 500), 300],
    ['the service is unavailable', ofService('Unavailable', 503), 300],
    ['the connection broke', { error: 'Sfn.SdkClientException', cause: 'Connection reset' }, 300],
    ['no answer came', { error: 'States.Timeout' }, 300],
  ])('%s', async (_, errorOutput, wait) => {
    const { body } = await engine.call('TestState', {
      ...{ roleArn, input: JSON.stringify({ step: 3 }), mock: { errorOutput } },
      definition: filled(agentLoop(tools, 'express').States.Burst!),
    });
    const { nextState, output } = body as { nextState: string; output: string };
    expect(nextState).toBe('AwaitBurst');
    expect(JSON.parse(output)).toEqual({ step: 3, wait, left: expect.stringMatching(/Z$/) });
  });
});

test('a deployment changes `loop` and back while runs sleep: each ends by the definition that it began with (R182)', async () => {
  const [Loop, Burst] = ['Switched', 'SwitchedBurst'];
  const deploy = (kind: LoopKind) =>
    engine.call('UpdateStateMachine', {
      stateMachineArn: arnOf(Loop),
      definition: filled(agentLoop(tools, kind), Burst),
    });
  const asleep = async () => {
    script = replies(calls('look'), calls('nap'));
    const run = await started(Loop);
    await until(async () => (await run.states()).includes('Sleep'));
    return run;
  };
  await create(Loop, agentLoop(tools), 'STANDARD');
  const standard = await asleep();
  await create(Burst, agentBurst(tools), 'EXPRESS', Burst);
  await deploy('express');
  const express = await asleep();
  await deploy('standard');
  await engine.call('DeleteStateMachine', { stateMachineArn: arnOf(Burst) });
  const last = await asleep();
  script = replies(calls('look'), words('Done.'), calls('look'), words('Done.'), calls('look'), words('Done.'));
  clock.advance(61 * minute);
  for (const run of [standard, express, last]) {
    expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
    expect(await run.run()).toMatchObject({ status: 'done' });
  }
  expect(await standard.states()).not.toContain('Burst');
  expect((await express.states()).slice(0, 8)).toEqual([
    ...['Burst', 'CallModel', 'Route', 'Sleep'],
    ...['Burst', 'AwaitBurst', 'CallModel', 'Route'],
  ]);
  expect(await last.states()).not.toContain('Burst');
});
