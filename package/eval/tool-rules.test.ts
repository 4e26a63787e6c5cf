import * as z from 'zod';
import type { Call } from '../../core/base/state/schemas';
import { defineTool, type FunctionTool } from '../../core/conversations/agent/tool';
import { recordedCall, recordedConversation } from '../../test/support/stories/recorded';
import { placeIn } from './recording';
import { ToolAnswers, type ToolRules } from './tool-rules';

const shared = {
  description: 'Does it.',
  input: z.object({ to: z.string().describe('Whom'), note: z.string().optional().describe('Why') }),
  output: z.unknown(),
  execute: async () => {
    throw new Error('No tool runs here.');
  },
};
const transfer = defineTool({ ...shared, name: 'transfer', effect: 'once' }) as FunctionTool;
const balance = defineTool({ ...shared, name: 'balance', effect: 'read' }) as FunctionTool;
const toolOf = (name: string) => (name === 'balance' ? balance : transfer);

/** Before the step at which cases begin, which is the only one of the second run. */
const before = (more: Partial<Call>) => recordedCall('r_1', 1, more);
const after = (more: Partial<Call>) => recordedCall('r_2', 1, more);
function answers(calls: Call[], rules: ToolRules = {}): ToolAnswers {
  const recording = { conversation: recordedConversation(calls) };
  return new ToolAnswers({ from: { recording, place: placeIn(recording, 1) }, ...rules });
}
let number = 0;
const ask = (of: ToolAnswers, tool: string, args: object, key = `key ${number++}`) =>
  of.answerTo({ key, tool, arguments: args }, toolOf(tool));

const refused = { by: 'refused', error: expect.stringContaining('was not called: nothing takes effect') };

test('a result answers a call of the same tool with the same arguments, in any order and without what is null (R234)', async () => {
  const one = () => answers([after({ arguments: { to: 'Ada', note: null }, result: { moved: 1 } })]);
  expect(await ask(one(), 'transfer', { note: null, to: 'Ada' })).toEqual({ by: 'recorded', result: { moved: 1 } });
  expect(await ask(one(), 'transfer', { to: 'Ada' })).toEqual({ by: 'recorded', result: { moved: 1 } });
  expect(await ask(one(), 'transfer', { to: 'Bob' })).toEqual(refused);
  expect(await ask(one(), 'balance', { to: 'Ada' })).toEqual(refused);
});

test('an effect that happened once answers one call, and its other attempts; one before the step answers none (R234)', async () => {
  const to = { to: 'Ada' };
  const all = answers([
    before({ arguments: to, result: 0 }),
    ...[1, 2].map((result) => after({ arguments: to, result })),
  ]);
  const asked = await Promise.all(['a', 'a', 'b', 'c'].map((key) => ask(all, 'transfer', to, key)));
  expect(asked).toEqual([
    { by: 'recorded', result: 1 },
    { by: 'recorded', result: 1 },
    { by: 'recorded', result: 2 },
    refused,
  ]);
  expect(all.calls.map(({ by }) => by)).toEqual(['recorded', 'recorded', 'refused']);
});

test('what is read again has the latest result, or one from before the step (R234)', async () => {
  const reads = (of: Call[]) => {
    const all = answers(of);
    return Promise.all([1, 2, 3].map(() => ask(all, 'balance', { to: 'me' })));
  };
  const read = { tool: 'balance', arguments: { to: 'me' } };
  const results = (all: object[]) => all.map((one) => (one as { result: unknown }).result);
  expect(
    results(await reads([before({ ...read, result: 0 }), ...[1, 2].map((result) => after({ ...read, result }))])),
  ).toEqual([1, 2, 2]);
  expect(results(await reads([before({ ...read, result: 0 })]))).toEqual([0, 0, 0]);
});

test.each<[why: string, call: Partial<Call>, answer: object]>([
  ['a failure, as a failure', { status: 'failed', error: 'No money.' }, { by: 'recorded', error: 'No money.' }],
  ['what was undone later', { status: 'undone', result: 7 }, { by: 'recorded', result: 7 }],
  ['nothing that was denied', { status: 'failed', error: 'Denied.', attempts: 0 }, refused],
  ['nothing whose outcome is unknown', { status: 'unknown', error: 'Lost.' }, refused],
  ['nothing that was cancelled', { status: 'cancelled' }, refused],
])('a recording gives %s (R234)', async (_, call, answer) => {
  expect(await ask(answers([after({ arguments: { to: 'Ada' }, ...call })]), 'transfer', { to: 'Ada' })).toEqual(answer);
});

test('a stand-in comes before the recording: a value, or a function, which may leave a call to the recording (R234)', async () => {
  const calls = [after({ arguments: { to: 'Ada' }, result: 1 })];
  const first = (standIn: unknown) => ask(answers(calls, { tools: { transfer: standIn } }), 'transfer', { to: 'Ada' });
  expect(await first({ moved: 2 })).toEqual({ by: 'stand-in', result: { moved: 2 } });
  expect(await first(null)).toEqual({ by: 'stand-in', result: null });
  expect(await first(async ({ to }: { to: string }) => `to ${to}`)).toEqual({ by: 'stand-in', result: 'to Ada' });
  expect(await first(() => Promise.reject(new Error('Closed.')))).toEqual({ by: 'stand-in', error: 'Closed.' });
  expect(await first(() => undefined)).toEqual({ by: 'recorded', result: 1 });
});

test('only what reads is live, whatever the case says; without a recording, other tools are themselves (R234)', async () => {
  for (const live of [true, ['balance', 'transfer']] as const) {
    expect(await ask(answers([], { live }), 'balance', {})).toEqual({ by: 'live' });
    expect(await ask(answers([], { live }), 'transfer', {})).toEqual(refused);
  }
  expect(await ask(answers([], { live: ['other'] }), 'balance', {})).toEqual(refused);
  const own = new ToolAnswers({ tools: { transfer: 1 } });
  expect(await ask(own, 'transfer', {})).toEqual({ by: 'stand-in', result: 1 });
  expect(await ask(own, 'balance', {})).toEqual({ by: 'itself' });
  expect(own.calls.map(({ tool }) => tool)).toEqual(['transfer']);
});

test('calls of recorded sub-agents answer, too (R234)', async () => {
  const recording = {
    conversation: recordedConversation(),
    subAgents: [recordedConversation([recordedCall('r_9', 1, { arguments: { to: 'Ada' }, result: 3 })])],
  };
  const all = new ToolAnswers({ from: { recording, place: placeIn(recording, 1) } });
  expect(await ask(all, 'transfer', { to: 'Ada' })).toEqual({ by: 'recorded', result: 3 });
});
