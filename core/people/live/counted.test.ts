import { storedCall, storedRun } from '../../../test/support/page/rows';
import { noUsage } from '../../base/state/schemas';
import { key } from '../../conversations/rows/keys';
import type { StoredCall } from '../../conversations/rows/rows';
import { emptyMeta } from '../../conversations/runs/conversation';
import type { RowChange } from './broadcast';
import { countedIn } from './counted';
import { finishedBy } from './finished';

const at = '2026-03-01T08:00:00.000Z';
const usage = (modelCalls: number) => ({
  ...noUsage,
  modelCalls,
  inputTokens: 10 * modelCalls,
  outputTokens: modelCalls,
  costMicrodollars: 500_000 * modelCalls,
});
const run = (id: string, status: string, calls: number, agent = 'travel') =>
  storedRun(id, status, at, { agent, step: calls, usage: usage(calls), lastRead: { seq: 0, step: 0 } });
const meta = (latest: object | undefined, earlier = 0) => ({
  ...emptyMeta({ id: 'c', user: 'ada', agent: 'travel', now: new Date(at) }),
  run: latest,
  earlierUsage: usage(earlier),
});
const counted = (change: RowChange) => countedIn(change, finishedBy(change));
const ofMeta = (row: object, before?: object) => counted({ conversationId: 'c', sk: key.meta, row, before });
const call = (status: string, attempts: number) =>
  storedCall('r.1.0', at, {
    tool: 'book',
    agent: 'travel',
    status: status as StoredCall['status'],
    attempts,
    modelCallId: 'x',
    arguments: '{"to":"a secret place"}',
    result: '"secret"',
  });
const ofCall = (row: object, before?: object) => counted({ conversationId: 'c', sk: key.call('r.1.0'), row, before });

test('a step counts what its conversation has used more than before, for the agent that made it (R171)', () => {
  expect(ofMeta(meta(run('r', 'running', 3, 'bank')), meta(run('r', 'running', 1)))).toEqual([
    {
      what: 'usage',
      values: { ModelCalls: 2, InputTokens: 20, OutputTokens: 2, CostDollars: 1 },
      dimensions: { Agent: 'travel' },
      ids: { conversationId: 'c', runId: 'r', step: 3 },
    },
  ]);
});

test('a change that uses nothing counts nothing, nor does a first row, which may be a copy (R171)', () => {
  expect(ofMeta(meta(run('r', 'waiting', 1)), meta(run('r', 'running', 1)))).toEqual([]);
  expect(ofMeta(meta(run('r', 'running', 1)))).toEqual([]);
});

test('the last step of a run counts once, also if the next run begins with it (R171)', () => {
  const [used, ended] = ofMeta(meta(run('next', 'running', 0), 3), meta(run('r', 'running', 2)));
  expect(used).toMatchObject({ values: { ModelCalls: 1, CostDollars: 0.5 } });
  expect(ended).toMatchObject({ values: { RunsEnded: 1 }, dimensions: { End: 'done' }, ids: { runId: 'r' } });
});

test.each(['done', 'failed', 'limited', 'cancelled'])('a run that is %s is counted by its end (R171)', (End) => {
  const before = meta(run('r', End === 'cancelled' ? 'cancelling' : 'running', 1));
  expect(ofMeta(meta(run('r', End, 1)), before)).toMatchObject([{ values: { RunsEnded: 1 }, dimensions: { End } }]);
});

test.each([
  ['completed', 1, { ToolFailures: 0, ToolRetries: 0 }],
  ['failed', 3, { ToolFailures: 1, ToolRetries: 2 }],
  ['unknown', 2, { ToolFailures: 1, ToolRetries: 1 }],
])(
  'a call that is %s after %i attempts is counted once, by its tool, without its words (R171)',
  (status, n, values) => {
    const counted = ofCall(call(status, n), call('running', n));
    expect(counted).toMatchObject([{ values, dimensions: { Tool: 'book' }, ids: { callId: 'r.1.0', attempt: n } }]);
    expect(JSON.stringify(counted)).not.toContain('secret');
    expect(ofCall(call(status, n), call(status, n))).toEqual([]);
  },
);

test('an undone call was counted before, and one that was cancelled before its first attempt never ran (R171)', () => {
  expect(ofCall(call('undone', 1), call('completed', 1))).toEqual([]);
  expect(ofCall(call('cancelled', 0), call('queued', 0))).toEqual([]);
});
