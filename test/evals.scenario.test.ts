import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bankEval } from '../evals/bank.eval';
import { openStandIns, type StandIns } from '../local/npm-start/stand-ins';
import { called, defineEval, says } from '../package/eval';
import { playEvals } from '../package/eval/play';
import { openRecordedReplies } from '../package/eval/recorded-replies';
import { type Played, reportOf } from '../package/eval/report';
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
    // The same users' accounts have moved money since, so what they read differs.
    const shown = (all: Played[]) => all.map(({ transcript: _, ...one }) => one);
    expect(shown(await playEvals(vigil, [bankEval], { seed: 'a' }))).toEqual(shown(played));
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

  test('limits of steps and of money stop a case, and a budget stops all (R233)', async () => {
    // The stand-in costs nothing, so its price is that of the test.
    const priced = await startVigil({
      variables: {
        ...standIns.variables,
        VIGIL_PRICES: JSON.stringify({ 'stand-in': [1_000, 1_000], 'gpt-6.1-terra': [1_000, 1_000] }),
      },
    });
    const cases = ['a', 'b', 'c'].map((name) => ({
      ...{ name, says: 'What is my balance?', holds: [called('get_balance')] },
      later: [{ after: 'P1D', says: 'What is my balance?' }],
    }));
    const evalWith = (limits: object) => defineEval({ name: 'limited', agent: 'bank', cases, limits });
    try {
      const steps = await playEvals(priced, [evalWith({ steps: 1 })]);
      expect(steps.map(({ holds, problem }) => [holds, problem])).toEqual(
        cases.map(() => [false, expect.stringMatching(/^stopped: it used \d steps, more than its limit of 1$/)]),
      );
      // Each stops at its own limit, before its second message.
      const money = await playEvals(priced, [evalWith({ costMicrodollars: 5 })]);
      expect(
        money.map(({ problem, transcript }) => [
          problem,
          transcript!.filter((one) => one.kind === 'said' && one.by === 'user').length,
        ]),
      ).toEqual(
        cases.map(() => [
          expect.stringMatching(/^stopped: it used \d+ costMicrodollars, more than its limit of 5$/),
          1,
        ]),
      );
      const none = evalWith({ costMicrodollars: 1e12 });
      const budget = await playEvals(priced, [none], { atOnce: 1, budgetMicrodollars: 5 });
      expect(budget.map(({ holds, problem }) => [holds, problem])).toEqual(
        cases.map(() => [false, 'stopped: the cases have used the budget']),
      );
      // The later ones have not begun.
      expect(budget.map(({ used }) => used.steps > 0)).toEqual([true, false, false]);
      expect((await playEvals(priced, [none], { budgetMicrodollars: 1e12 })).every(({ holds }) => holds)).toBe(true);
    } finally {
      await priced.stop();
    }
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
      return {
        played: await playEvals(vigil, [bankEval], { seed: 'kept', begins, trials: 2 }),
        counts: replies.counts,
      };
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
    // Byte for byte, with what happened.
    expect(JSON.stringify(reportOf(kept.played))).toBe(JSON.stringify(reportOf(recorded.played)));
    expect(kept.played[0]!.transcript!.length).toBeGreaterThan(2);
    expect(kept.counts).toEqual({ kept: recorded.counts.asked, asked: 0, missing: 0 });
  } finally {
    await standIns.stop();
    rmSync(folder, { recursive: true });
  }
});
