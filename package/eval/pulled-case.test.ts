import { transformSync } from 'esbuild';
import type { Conversation } from 'vigil-client';
import * as evals from '.';
import { pulledCase } from './pulled-case';

const after = (seconds: number): string => new Date(Date.parse('2026-03-01T08:00:00Z') + seconds * 1_000).toISOString();
const hour = 3_600;
const said = (seq: number, seconds: number, text: string, more: object = {}) => ({
  seq,
  version: 1,
  role: 'user',
  author: 'user-1',
  text,
  status: 'complete',
  createdAt: after(seconds),
  ...more,
});
const approval = (seconds: number, outcome: object, more: object = {}) => ({
  id: `a${seconds}`,
  version: 1,
  runId: 'r',
  kind: 'approval',
  tool: 'transfer',
  prompt: '?',
  status: 'answered',
  expiresAt: after(99 * hour),
  closedAt: after(seconds),
  outcome,
  callId: 'r.1.0',
  ...more,
});
const hostile = '`${process.exit(1)}` "); process.exit(1); // \u2028 */ \\';

const conversation = (more: object = {}) =>
  ({
    id: 'c_1',
    agent: 'bank',
    usage: { modelCalls: 4 },
    timers: [],
    messages: [
      said(1, 0, hostile),
      said(2, 5, 'Hello to the people', { aside: true }),
      said(3, 20, 'From a member', { sources: ['member'] }),
      { ...said(4, 30, 'A reply'), role: 'assistant' },
      said(5, 40, 'In May', { callId: 'r.1.1' }),
      said(6, 3 * 24 * hour + 5_400, 'And now?'),
      said(7, 3 * 24 * hour + 5_401, ' ', { parts: [] }),
    ],
    calls: [{ tool: 'transfer' }, { tool: 'get_balance' }, { tool: 'transfer' }],
    callbacks: [
      approval(
        4 * 24 * hour,
        { approved: true, by: 'user-2', arguments: { cents: 5 } },
        { approvers: { group: 'finance' } },
      ),
      approval(4 * 24 * hour + hour, { approved: false, by: 'user-1', reason: 'No.' }),
      approval(9, { approved: true }, { status: 'expired' }),
      approval(40, { answer: 'In May' }, { kind: 'question', tool: undefined }),
      approval(50, { answer: 'A message' }, { kind: 'question', tool: undefined, callId: undefined }),
    ],
    ...more,
  }) as unknown as Conversation;

/** What the code exports. */
function evalIn(code: string) {
  const { code: plain } = transformSync(code, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} as { default: evals.Eval } };
  new Function('module', 'exports', 'require', plain)(module, module.exports, () => evals);
  return module.exports.default;
}

test('a pulled case has what its owner said and decided, at those times, and is an eval (R235)', () => {
  const { code, left } = pulledCase(conversation(), 'bank-1')!;
  const made = evalIn(code);
  expect(left).toBe(2);
  expect(made).toMatchObject({ kind: 'eval', name: 'bank-1', agent: 'bank' });
  const [one] = made.cases;
  expect(one!.says).toBe(hostile);
  expect(one!.later).toEqual([
    { answer: 'In May' },
    { after: 'P3DT1H29M', says: 'And now?' },
    { after: 'PT22H30M', approve: 'transfer', arguments: { cents: 5 }, group: 'finance' },
    { after: 'PT1H', deny: 'transfer', reason: 'No.' },
  ]);
  expect(one!.holds!.map(({ name }) => name)).toEqual(['called transfer', 'called get_balance', 'at most 4 steps']);
});

test('one without calls and decisions is an eval, too; where nobody has said anything, there is none (R235)', () => {
  const one = conversation({ messages: [said(1, 0, 'Hi')], calls: [], callbacks: [], usage: { modelCalls: 0 } });
  expect(evalIn(pulledCase(one, 'bank-2')!.code).cases).toMatchObject([{ name: 'Hi', says: 'Hi' }]);
  expect(pulledCase(conversation({ messages: [] }), 'bank-3')).toBeUndefined();
});
