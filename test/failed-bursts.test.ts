import { ToolFailed } from '../core/base/text/errors';
import type { ModelRequest, Reply } from '../core/conversations/agent/model';
import { pending } from '../local/pending';
import { agentLoop } from '../statemachines/agent-loop';
import {
  calls,
  clock,
  engine,
  filled,
  minute,
  moving,
  newStory,
  replies,
  roleArn,
  second,
  started,
  startWorld,
  stopWorld,
  tools,
  until,
  words,
  world,
} from './support/stories/burst-story';

beforeAll(startWorld);
afterAll(stopWorld);
beforeEach(newStory);

/** Starts a burst that times out during its second model call, which began after a minute and may run for one more. */
async function timedOutWhile(reply: (request: ModelRequest) => Promise<Reply>) {
  let beganAt = Number.NaN;
  const first = async () => {
    clock.advance(minute);
    beganAt = clock.now();
    return calls('look');
  };
  world.script = [first, reply, async () => words('Done.')];
  const run = await started();
  await until(() => world.asked === 2);
  clock.advance(241 * second);
  // The Standard execution has found the call that still runs.
  await until(() => world.errors.includes('ConversationBusy'));
  return { run, beganAt };
}

test('a burst that times out during a model call: the reply is waited for, and the model is asked once (R182)', async () => {
  const thinking = pending<Reply>();
  const { run } = await timedOutWhile(async ({ onText }) => {
    onText('First ');
    const reply = await thinking.promise;
    onText('and second.');
    return reply;
  });
  thinking.resolve({ ...calls('pay'), text: 'First and second.' });
  await until(async () => (await run.run()).step === 2);
  await moving(() => world.ran.includes('pay'));
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(world.asked).toBe(3);
  expect(world.ran).toEqual(['look', 'pay']);
  const { messages } = await run.log();
  expect(messages.filter(({ text }) => text.includes('First'))).toMatchObject([
    { text: 'First and second.', status: 'complete' },
  ]);
});

test('a function that died with its burst is not waited for longer than it can live (R182)', async () => {
  const dead = pending<Reply>();
  const { run, beganAt } = await timedOutWhile(() => dead.promise);
  world.running -= 1;
  await moving(() => world.asked === 3);
  expect(clock.now() - beganAt).toBeGreaterThanOrEqual(5 * minute);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  // It was a function of this process: without an end it would keep the process alive.
  world.running += 1;
  dead.resolve(words('Late.'));
  await until(() => world.running === 0);
  expect(JSON.stringify(await run.log())).not.toContain('Late.');
});

test('a burst begins a `once` tool only if every attempt fits, so it does not run twice and no outcome is lost (R182)', async () => {
  const thinking = pending<Reply>();
  world.script = [() => thinking.promise, async () => words('Done.')];
  const run = await started();
  await until(() => world.asked === 1);
  clock.advance(230 * second);
  thinking.resolve(calls('pay'));
  const paying = pending<string>();
  world.behaviour.pay = () => paying.promise;
  await until(() => world.ran.length === 1);
  // The burst would have ended by now.
  clock.advance(30 * second);
  paying.resolve('paid');
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'pay', 'Burst']);
  expect(world.ran).toEqual(['pay']);
  expect((await run.log()).calls).toMatchObject([{ status: 'completed', attempts: 1 }]);
});

test('a burst that times out during the second attempt of a tool is continued by the tool’s own state (R182)', async () => {
  let attempts = 0;
  world.behaviour.ship = async () => {
    attempts += 1;
    if (attempts === 1) throw new ToolFailed('Try again.');
    return attempts === 2 ? new Promise(() => undefined) : 'shipped';
  };
  const thinking = pending<Reply>();
  world.script = [() => thinking.promise, async () => words('Done.')];
  const run = await started();
  await until(() => world.asked === 1);
  clock.advance(250 * second);
  thinking.resolve(calls('ship'));
  await until(() => attempts === 1);
  await moving(() => attempts === 2);
  // Past the burst's end, also if the retry's jitter was too short for the clock to have moved.
  clock.advance(51 * second);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'CallModel', 'Route', 'ship', 'Burst']);
  expect((await run.log()).calls).toMatchObject([{ status: 'completed', attempts: 3 }]);
});

test('if bursts cannot be started, the Standard execution makes the steps (R182)', async () => {
  world.refused = 100;
  world.script = replies(calls('look'), words('Done.'));
  const run = await started();
  // At once: nothing of a refused burst runs.
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual([
    ...['Burst', 'AwaitBurst', 'CallModel', 'Route', 'look'],
    ...['Burst', 'AwaitBurst', 'CallModel', 'Route', 'Done'],
  ]);
  expect(world.asked).toBe(2);
  expect(world.ran).toEqual(['look']);
});

test('if the answer of a burst is lost, the Standard execution goes on when it has certainly ended (R182)', async () => {
  const paying = pending<string>();
  world.behaviour.pay = () => paying.promise;
  world.script = replies(calls('pay'), words('Done.'));
  const run = await started('LostAnswer');
  await until(() => world.ran.length === 1);
  clock.advance(21 * second);
  await until(async () => (await run.states()).includes('AwaitBurst'));
  // The burst goes on, and nobody beside it.
  paying.resolve('paid');
  await until(async () => (await run.run()).status === 'done');
  clock.advance(5 * minute);
  expect(await run.ended()).toMatchObject({ status: 'SUCCEEDED' });
  expect(await run.states()).toEqual(['Burst', 'AwaitBurst', 'CallModel', 'Route', 'Done']);
  expect([world.ran, world.asked]).toEqual([['pay'], 2]);
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
    expect(JSON.parse(output)).toEqual({ step: 3, wait, burstEndedAt: expect.stringMatching(/Z$/) });
  });
});
