import { emptyMeta } from '../runs/conversation';
import type { LoopOutput } from '../state/loop-state';
import { Usage } from '../state/schemas';
import { Meta } from './meta';
import { ShortNext, ShortUsage, shortNext, shortUsage, wholeNext } from './short-meta';

const run = { id: 'r_000001_a', segment: 2, step: 7 };
const at = { conversationId: 'c', runId: run.id, segment: 2, step: 7 };
const ref = { next: 'tool:look', callId: `${run.id}.00007.00` };

describe('what META keeps in short (R184)', () => {
  test.each<[string, LoopOutput]>([
    ['the end', { ...at, next: 'done' }],
    ['one call', { ...at, next: 'tool:look', call: ref }],
    ['several calls', { ...at, next: 'many', calls: [ref, { ...ref, next: 'callback', timeoutSeconds: 9 }] }],
    ['a call with an id of its own', { ...at, next: 'callback', call: { next: 'callback', callId: 'x.1' } }],
  ])('is the same answer when it is read: %s', (_what, next) => {
    const short = JSON.parse(JSON.stringify(shortNext(next, run.id)));
    expect(JSON.stringify(short)).not.toContain(run.id);
    expect(wholeNext(ShortNext.parse(short), 'c', run)).toEqual(next);
    expect(wholeNext(ShortNext.parse(next), 'c', run)).toEqual(next);
  });

  test('is the same usage when it is read, also of rows that have the names', () => {
    const some = { modelCalls: 1, toolCalls: 2, inputTokens: 3, outputTokens: 4, costMicrodollars: 5 };
    const all: Required<Usage> = {
      ...{ ...some, cachedInputTokens: 6, cacheWriteTokens: 7, reasoningTokens: 8, unpricedCalls: 9 },
    };
    expect(shortUsage(some)).toEqual([1, 2, 3, 4, 5]);
    expect(shortUsage({ ...some, reasoningTokens: 0 })).toEqual([1, 2, 3, 4, 5, null, null, 0]);
    expect(shortUsage(all)).toHaveLength(Object.keys(Usage.shape).length);
    for (const usage of [some, { ...some, reasoningTokens: 0 }, all]) {
      expect(ShortUsage.parse(shortUsage(usage))).toEqual(usage);
      expect(ShortUsage.parse(usage)).toEqual(usage);
    }
  });

  test('is not read without its key, which has its id', () => {
    const { conversationId: _, ...keyless } = emptyMeta({ id: 'c', user: 'ada', agent: 'tester', now: new Date() });
    expect(Meta.parse({ ...keyless, pk: 'C#c' }).conversationId).toBe('c');
    expect(() => Meta.parse(keyless)).toThrow('META was read without its key.');
  });
});
