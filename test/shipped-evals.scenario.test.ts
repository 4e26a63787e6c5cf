import { bankEval } from '../evals/bank.eval';
import { chatEval } from '../evals/chat.eval';
import { reminderEval } from '../evals/reminder.eval';
import { travelEval } from '../evals/travel.eval';
import { playEvals } from '../package/eval/play';
import { cloudWithStandIns } from './support/clouds/with-stand-ins';

// The evals of this repository's agents, as regression tests: the stand-in model plays them.

const shipped = [reminderEval, travelEval, chatEval, bankEval];

describe('the shipped evals with the stand-in model', () => {
  const cloud = cloudWithStandIns();

  test('every case holds (R233)', async () => {
    const trials = await playEvals(cloud().vigil, shipped);
    const whys = ({ problem, scores }: (typeof trials)[number]) =>
      [problem, ...scores.filter(({ score }) => score < 1).map((one) => `${one.name}: ${one.why}`)].filter(Boolean);
    expect(trials.filter(({ holds }) => !holds).map((one) => [one.eval, one.case, ...whys(one)])).toEqual([]);
    expect(trials.length).toBeGreaterThan(0);
  }, 1_800_000);

  test('each agent has at least twelve (R233)', () => {
    for (const { name, cases } of shipped) expect([name, cases.length >= 12]).toEqual([name, true]);
  });
});
