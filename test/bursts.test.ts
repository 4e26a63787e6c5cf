import { ModelThrottled, ModelUnavailable, ToolTerminal } from '../core/base/text/errors';
import type { Reply } from '../core/conversations/agent/model';
import { cancelRun } from '../core/conversations/conversation/cancel';
import { sendMessage } from '../core/conversations/conversation/send-message';
import { pending } from '../local/pending';
import { agentLoop, type LoopKind } from '../statemachines/agent-loop';
import { agentBurst } from '../statemachines/burst';
import {
  arnOf,
  calls,
  clock,
  create,
  deployment,
  engine,
  filled,
  minute,
  moving,
  newStory,
  now,
  replies,
  second,
  soon,
  started,
  startWorld,
  stopWorld,
  table,
  tools,
  until,
  words,
  world,
} from './support/stories/burst-story';

beforeAll(startWorld);
afterAll(stopWorld);
beforeEach(newStory);

test('a run of many steps costs one transition (R182, R183)', async () => {
  world.script = replies(calls('look'), calls('pay'), calls('look', 'ship'), calls('look'), words('Done.'));
  const run = await started();
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst']);
  expect(await run.run()).toMatchObject({ status: 'done', step: 5, usage: { modelCalls: 5, toolCalls: 5 } });
  expect(world.ran.sort()).toEqual(['look', 'look', 'look', 'pay', 'ship']);
});

test('a wait is left to the Standard execution, which sleeps and starts another burst (R182)', async () => {
  world.script = replies(calls('look'), calls('look', 'nap'), words('Good morning.'));
  const run = await started();
  await until(async () => (await run.states()).includes('Sleep'));
  // The two steps count little. What the Standard execution does after them is counted in full.
  expect((await run.run()).segmentEvents).toBeGreaterThan(100);
  clock.advance(61 * minute);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'Sleep', 'Burst']);
  expect(world.asked).toBe(3);
});

test('a message during a burst is read by its next step (R182)', async () => {
  const looking = pending<void>();
  world.behaviour.look = () => looking.promise;
  world.script = replies(calls('look'), words('Both.'));
  const run = await started();
  await until(() => world.ran.length === 1);
  await sendMessage(table, deployment.agents, run.id, { user: 'ada', text: 'One more thing' }, now());
  looking.resolve();
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  const { messages } = await run.log();
  expect(messages.find(({ text }) => text === 'One more thing')).toMatchObject({ status: 'complete' });
  expect(await run.states()).toEqual(['Burst']);
});

test('what may not end within the burst is left: a slow tool, and a model call in the last minute (R182)', async () => {
  const looking = pending<void>();
  world.script = replies(calls('slow'), calls('look'), words('Done.'));
  world.behaviour.look = () => looking.promise;
  const run = await started();
  await until(() => world.ran.includes('look'));
  clock.advance(250 * second);
  looking.resolve();
  // The tool's own state in the burst timed out meanwhile and tries again.
  world.behaviour.look = undefined;
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect((await run.states()).slice(0, 5)).toEqual(['Burst', 'CallModel', 'Route', 'slow', 'Burst']);
  expect(world.ran[0]).toBe('slow');
  expect(world.asked).toBe(3);
});

test('a run that is stopped during a burst: the burst changes nothing and ends at its next step (R182)', async () => {
  const thinking = pending<Reply>();
  world.script = [async () => calls('look'), () => thinking.promise];
  const run = await started();
  await until(() => world.asked === 2);
  await cancelRun(table, deployment.tools, { conversationId: run.id, user: 'ada' }, now());
  await engine.call('StopExecution', { executionArn: run.executionArn });
  const { messages } = await run.log();
  const before = world.steps.length;
  thinking.resolve(calls('pay'));
  // The reply's function answers; a burst that went on would call the tool.
  await until(async () => (await run.run()).usage.modelCalls === 2);
  await soon();
  expect([world.ran, world.steps.length]).toEqual([['look'], before]);
  expect((await run.log()).messages).toHaveLength(messages.length);
  expect(await run.look()).toMatchObject({ status: 'ABORTED' });
});

test('a busy model is waited for by the Standard execution (R182, R202)', async () => {
  const busy = async () => {
    throw new ModelThrottled('Busy.');
  };
  world.script = [...Array.from({ length: 5 }, () => busy), ...replies(words('Done.'))];
  const run = await started();
  expect(await run.ended(moving)).toMatchObject({ status: 'SUCCEEDED' });
  expect(world.asked).toBe(6);
  expect((await run.states()).filter((state) => state === 'Sleep')).toHaveLength(5);
  expect(await run.run()).toMatchObject({ status: 'done', usage: { modelCalls: 1 } });
});

test('after a failed attempt at a step, the Standard execution sleeps and starts another burst (R182)', async () => {
  world.script = [
    async () => calls('look'),
    async () => {
      throw new ModelUnavailable('Down.');
    },
    ...replies(words('Done.')),
  ];
  const run = await started();
  expect(await run.ended(moving)).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'Sleep', 'Burst']);
  expect([world.ran, world.asked]).toEqual([['look'], 3]);
});

test('a permanent error ends the run in the burst; the execution fails with its reason, and the tool has run once (R182)', async () => {
  world.behaviour.look = async () => {
    throw new ToolTerminal('No licence.');
  };
  world.script = replies(calls('look'));
  const run = await started();
  expect(await run.ended()).toMatchObject({ status: 'FAILED', error: 'RunFailed' });
  expect(await run.run()).toMatchObject({ status: 'failed', reason: expect.stringContaining('No licence.') });
  expect((await run.look()).cause).toContain('No licence.');
  expect(world.ran).toEqual(['look']);
});

test('two executions beside each other make each step once (R182)', async () => {
  world.script = replies(calls('look'), calls('look'), words('Done.'), words('Done.'));
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
  world.behaviour.pay = () => paying.promise;
  world.script = replies(calls('pay'), words('Done.'));
  const run = await started();
  await until(() => world.ran.length === 1);
  const input = { conversationId: run.id, runId: (await run.run()).id, segment: 1, step: 0 };
  await engine.call('StartSyncExecution', { stateMachineArn: arnOf('AgentBurst'), input: JSON.stringify(input) });
  paying.resolve('paid');
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(world.ran).toEqual(['pay']);
  expect((await run.log()).calls).toMatchObject([{ status: 'unknown', attempts: 1 }]);
  expect(world.asked).toBe(2);
});

test('a deployment changes `loop` and back while runs sleep: each ends by the definition that it began with (R182)', async () => {
  const [Loop, Burst] = ['Switched', 'SwitchedBurst'];
  const deploy = (kind: LoopKind) =>
    engine.call('UpdateStateMachine', {
      stateMachineArn: arnOf(Loop),
      definition: filled(agentLoop(tools, kind), Burst),
    });
  const asleep = async () => {
    world.script = replies(calls('look'), calls('nap'));
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
  world.script = replies(calls('look'), words('Done.'), calls('look'), words('Done.'), calls('look'), words('Done.'));
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
