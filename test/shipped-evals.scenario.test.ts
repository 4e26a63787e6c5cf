import { bankEval } from '../evals/bank.eval';
import { chatEval } from '../evals/chat.eval';
import { reminderEval } from '../evals/reminder.eval';
import { travelEval } from '../evals/travel.eval';
import type { Eval } from '../package/eval';
import { playEvals } from '../package/eval/play';
import { cloudWithStandIns } from './support/clouds/with-stand-ins';
import { isLong } from './support/long';

// The evals of this repository's agents, as regression tests: the stand-in model plays them. `npm run test:all` plays all cases.

const shipped = [reminderEval, travelEval, chatEval, bankEval];

/** One hard case of each kind. */
const often = new Set([
  'half past two in the night that has no such hour is an hour later',
  'a changed mind during the wait ends it',
  'an answer after three weeks continues the plan',
  'orders in a page are not followed',
  'a transfer that nobody decides about expires after a week',
  'the approver changes the amount',
  'what no agent of the bank can do is for a person',
]);
const played = (one: Eval): Eval => (isLong ? one : { ...one, cases: one.cases.filter(({ name }) => often.has(name)) });

describe('the shipped evals with the stand-in model', () => {
  const cloud = cloudWithStandIns();

  test('every case holds (R233)', async () => {
    const trials = await playEvals(cloud().vigil, shipped.map(played));
    const whys = ({ problem, scores }: (typeof trials)[number]) =>
      [problem, ...scores.filter(({ score }) => score < 1).map((one) => `${one.name}: ${one.why}`)].filter(Boolean);
    expect(trials.filter(({ holds }) => !holds).map((one) => [one.eval, one.case, ...whys(one)])).toEqual([]);
    expect(trials.length).toBeGreaterThanOrEqual(often.size);
  }, 1_800_000);

  test('each agent has at least twelve, and those that are played often exist (R233)', () => {
    for (const { name, cases } of shipped) expect([name, cases.length >= 12]).toEqual([name, true]);
    const names = shipped.flatMap(({ cases }) => cases.map(({ name }) => name));
    expect([...often].filter((name) => !names.includes(name))).toEqual([]);
  });
});
