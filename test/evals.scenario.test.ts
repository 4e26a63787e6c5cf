import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bankEval } from '../evals/bank.eval';
import { openStandIns, type StandIns } from '../local/npm-start/stand-ins';
import { called, defineEval, says } from '../package/eval';
import { playEvals } from '../package/eval/play';
import { openRecordedReplies } from '../package/eval/recorded-replies';
import { startVigil, type Vigil } from './support/clouds/vigil';

// The evals of this repository, played by the stand-in model, and evals that do not hold.

describe('evals with the stand-in model', () => {
  let vigil: Vigil;
  let standIns: StandIns;
  beforeAll(async () => {
    standIns = await openStandIns({});
    vigil = await startVigil({ variables: standIns.variables });
  });
  afterAll(async () => {
    await vigil?.stop();
    await standIns?.stop();
  });

  test('the cases of the bank hold, together in moved time, and again with the same seed (R233)', async () => {
    const before = +(await vigil.now());
    const played = await playEvals(vigil, [bankEval], { seed: 'a' });
    expect(
      played.flatMap(({ case: name, problem, scores }) =>
        [problem, ...scores.map(({ why }) => why)].filter(Boolean).map((why) => `${name}: ${why}`),
      ),
    ).toEqual([]);
    expect(played.map(({ case: name, holds }) => [name, holds])).toEqual(
      bankEval.cases.map(({ name }) => [name, true]),
    );
    // A week at most until Monday, and eight days together, not one after the other.
    expect(+(await vigil.now()) - before).toBeLessThan(16 * 86_400_000);
    expect(await playEvals(vigil, [bankEval], { seed: 'a' })).toEqual(played);
  });

  test('what is not so is a case that does not hold, and says why; others go on (R233)', async () => {
    const transfer = { says: 'Send 900 to Ada', holds: [called('transfer')] };
    const wrong = defineEval({
      name: 'wrong',
      agent: 'bank',
      cases: [
        { ...transfer, name: 'another tool', later: [{ after: 'P1D', approve: 'refund' }] },
        { ...transfer, name: 'another group', later: [{ approve: 'transfer', group: 'strangers' }] },
        { ...transfer, name: 'too many steps', says: '/call get_balance' },
        { ...transfer, name: 'other words', later: [{ deny: 'transfer' }], holds: [says('moved to Ada')] },
        { ...transfer, name: 'as it is', later: [{ after: 'P2D', approve: 'transfer' }] },
      ],
    });
    const played = await playEvals(vigil, [wrong], { atOnce: 3, trials: 2 });
    expect(played.map(({ case: name, trial }) => `${name} ${trial}`)).toHaveLength(10);
    const first = played.filter(({ trial }) => trial === 1);
    expect(first.map(({ holds, problem, scores }) => [holds, problem, scores[0]?.why])).toEqual([
      [false, 'act 1 (approve "refund"): nothing like that is pending: the conversation is waiting', ''],
      [false, expect.stringMatching(/^act 1 \(approve "transfer"\): .+/), ''],
      [false, undefined, expect.stringContaining('the calls are ')],
      [false, undefined, expect.stringContaining('the last reply is "transfer failed')],
      [true, undefined, ''],
    ]);
  });
});

test('kept replies play the same cases without the model, with the same report (R238)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-replies-'));
  const standIns = await openStandIns({});
  const begins = new Date('2040-01-02T09:00:00Z');
  const play = async (provider?: string) => {
    const replies = await openRecordedReplies({ folder, provider });
    const variables = { ...standIns.variables, OPENAI_BASE_URL: replies.url };
    // Users of a new cloud have the same ids, and its clock has not moved.
    const vigil = await startVigil({ variables, isAlone: true });
    try {
      return { played: await playEvals(vigil, [bankEval], { seed: 'kept', begins }), counts: replies.counts };
    } finally {
      await vigil.stop();
      await replies.stop();
    }
  };
  try {
    const recorded = await play(standIns.variables.OPENAI_BASE_URL);
    expect(recorded.counts).toMatchObject({ missing: 0, asked: expect.any(Number) });
    expect(recorded.played.every(({ holds }) => holds)).toBe(true);
    const kept = await play();
    expect(kept.played).toEqual(recorded.played);
    expect(kept.counts).toEqual({ kept: recorded.counts.asked, asked: 0, missing: 0 });
  } finally {
    await standIns.stop();
    rmSync(folder, { recursive: true });
  }
});
