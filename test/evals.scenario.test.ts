import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bankEval } from '../evals/bank.eval';
import { chatEval } from '../evals/chat.eval';
import { reminderEval } from '../evals/reminder.eval';
import { travelEval } from '../evals/travel.eval';
import { openStandIns } from '../local/npm-start/stand-ins';
import { runCommand } from '../package/cli/command';
import { askedForApproval, type Case, called, defineEval, says } from '../package/eval';
import { playEvals } from '../package/eval/play';
import { openRecordedReplies } from '../package/eval/recorded-replies';
import { type Played, reportOf } from '../package/eval/report';
import { assembly } from './support/clouds/assembly';
import { startVigil } from './support/clouds/vigil';
import { cloudWithStandIns } from './support/clouds/with-stand-ins';
import { judgeAt, withProvider } from './support/servers/judge-model';
import { type ModelServer, startModelServer } from './support/servers/model-server';

// The evals of this repository, played by the stand-in model, evals that do not hold, and users whom a model plays.

/** What each persona says, by its beginning words; then it is done. */
const scripts: Readonly<Record<string, string[]>> = {
  Ada: ['Send 900 to Ben', 'What is my balance?'],
  Tom: ['To Kyoto', 'In May, four days'],
  Max: Array.from({ length: 9 }, () => 'What is my balance?'),
};
const talks = (limits: object = {}) =>
  defineEval({
    name: 'talks',
    agent: 'bank',
    limits,
    cases: [
      {
        name: 'a transfer',
        persona: 'Ada, who sends 900 to Ben, and wants to know what is left.',
        later: [{ after: 'P2D', approve: 'transfer' }],
        holds: [called('transfer', { to: 'Ben' }, { outcome: 'completed', times: 1 }), askedForApproval('transfer')],
      },
      { name: 'no end', persona: 'Max, who never has enough.', holds: [called('get_balance')] },
    ],
  });
const trip = defineEval({
  name: 'trip',
  agent: 'travel',
  cases: [
    {
      name: 'what is asked is answered',
      says: 'Plan a trip for me.',
      persona: 'Tom, who wants to see Kyoto.',
      holds: [says(/Day 4[\s\S]*PLAN COMPLETE/)],
    },
  ],
});

/** A server that plays personas: the n-th time that one has its turn, it says the n-th of its words. */
async function startPersonas(): Promise<ModelServer> {
  const server = await startModelServer();
  server.script(({ messages }) => {
    const [system, user] = messages.map(({ content }) => String(content));
    const [, name] = /The person:\n(\w+)/.exec(system!)!;
    const { transcript } = JSON.parse(user!) as { transcript: { by?: string; text: string }[] };
    const said = transcript.filter(({ by, text }) => by === 'user' && scripts[name!]!.includes(text)).length;
    const words = scripts[name!]![said];
    return {
      text: JSON.stringify({ why: 'I have it.', done: words === undefined, says: words ?? '' }),
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    };
  });
  return server;
}
const without = ({ persona: _, ...one }: Case): Case => one;
const userWords = ({ transcript = [] }: Played) =>
  transcript.flatMap((one) => (one.kind === 'said' && one.by === 'user' ? [one.text] : []));

describe('evals with the stand-in model', () => {
  const cloud = cloudWithStandIns();

  test('each shipped agent has at least twelve cases; all hold, and share moved time (R233)', async () => {
    const shipped = [reminderEval, travelEval, chatEval, bankEval];
    for (const { name, cases } of shipped) expect([name, cases.length >= 12]).toEqual([name, true]);
    const before = +(await cloud().vigil.now());
    const trials = await playEvals(cloud().vigil, [{ ...bankEval, cases: bankEval.cases.slice(0, 4) }]);
    // A week at most until Monday, and eight days together, not one after the other.
    expect(+(await cloud().vigil.now()) - before).toBeLessThan(16 * 86_400_000);
    const others = [reminderEval, travelEval, chatEval, { ...bankEval, cases: bankEval.cases.slice(4) }];
    trials.push(...(await playEvals(cloud().vigil, others)));
    const whys = ({ problem, scores }: (typeof trials)[number]) =>
      [problem, ...scores.filter(({ score }) => score < 1).map((one) => `${one.name}: ${one.why}`)].filter(Boolean);
    expect(trials.filter(({ holds }) => !holds).map((one) => [one.eval, one.case, ...whys(one)])).toEqual([]);
    expect(trials).toHaveLength(shipped.reduce((sum, { cases }) => sum + cases.length, 0));
  }, 1_800_000);

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
    const played = await playEvals(cloud().vigil, [wrong], { atOnce: 3, trials: 2 });
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

  test('a persona begins, answers questions and ends; acts decide, and limits stop it (R233)', async () => {
    const server = await startPersonas();
    const judge = judgeAt(server.url);
    try {
      const played = await playEvals(cloud().vigil, [talks({ turns: 3 }), trip], { judge });
      const used = (steps: number) => ({ steps, tokens: steps * 110, costMicrodollars: steps * 150 });
      const balance = 'What is my balance?';
      expect(played.map((one) => [one.holds, one.problem, userWords(one), one.persona])).toEqual([
        [true, undefined, scripts.Ada, { turns: 2, done: 'I have it.', used: used(3) }],
        [
          false,
          'stopped: it used 4 turns, more than its limit of 3',
          [balance, balance, balance],
          { turns: 4, used: used(4) },
        ],
        [true, undefined, ['Plan a trip for me.', ...scripts.Tom!], { turns: 2, done: 'I have it.', used: used(3) }],
      ]);
      expect(reportOf(played, judge.used())).toMatchObject({ personas: used(10), used: { costMicrodollars: 0 } });
      expect(reportOf(played, judge.used()).judging).toBeUndefined();

      // Two questions are within the limit, the third is not: what it says is not sent.
      const [, money] = await playEvals(cloud().vigil, [talks({ costMicrodollars: 300 })], { judge });
      expect([money!.problem, userWords(money!)]).toEqual([
        'stopped: it used 450 costMicrodollars, more than its limit of 300',
        [balance, balance],
      ]);
      const budget = await playEvals(cloud().vigil, [talks()], { judge, budgetMicrodollars: 400 });
      expect(budget.map(({ problem }) => problem)).toEqual(budget.map(() => 'stopped: the cases have used the budget'));
      // Without a model that is asked, the others are played.
      const others = await playEvals(cloud().vigil, [talks(), { ...trip, cases: [without(trip.cases[0]!)] }]);
      expect(others.map(({ case: name }) => name)).toEqual(['what is asked is answered']);
    } finally {
      await server.stop();
    }
  });

  test('a limit of money stops a case, and a budget stops all (R233)', async () => {
    // The stand-in costs nothing, so its price is that of the test.
    const priced = await startVigil({
      variables: {
        ...cloud().standIns.variables,
        VIGIL_PRICES: JSON.stringify({ 'stand-in': [1_000, 1_000], 'gpt-6.1-terra': [1_000, 1_000] }),
      },
    });
    const cases = ['a', 'b'].map((name) => ({
      name,
      says: 'What is my balance?',
      holds: [called('get_balance')],
      later: [{ after: 'P1D', says: 'What is my balance?' }],
    }));
    const evalWith = (limits: object) => defineEval({ name: 'limited', agent: 'bank', cases, limits });
    try {
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
      expect(budget.map(({ used }) => used.steps > 0)).toEqual([true, false]);
    } finally {
      await priced.stop();
    }
  });
});

test('kept replies play the same cases without the model, with the same report (R238)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-replies-'));
  const standIns = await openStandIns({});
  const personas = await startPersonas();
  const begins = new Date('2040-01-02T09:00:00Z');
  const play = async (provider?: string) => {
    const replies = await openRecordedReplies({ folder, provider });
    const words = await openRecordedReplies({ folder, provider: provider && personas.url });
    const variables = { ...standIns.variables, OPENAI_BASE_URL: replies.url };
    // Users of a new cloud have the same ids, and its clock has not moved.
    const vigil = await startVigil({ variables, isAlone: true });
    try {
      return {
        played: await playEvals(vigil, [talks({ turns: 3 })], {
          seed: 'kept',
          begins,
          judge: judgeAt(words.url),
        }),
        counts: replies.counts,
        words: words.counts,
      };
    } finally {
      await vigil.stop();
      await replies.stop();
      await words.stop();
    }
  };
  try {
    const recorded = await play(standIns.variables.OPENAI_BASE_URL);
    expect(recorded.counts).toMatchObject({ missing: 0, asked: expect.any(Number) });
    expect(recorded.played.flatMap(({ case: name, holds }) => (holds ? [] : [name]))).toEqual(['no end']);
    const kept = await play();
    // Byte for byte, with what happened.
    expect(JSON.stringify(reportOf(kept.played))).toBe(JSON.stringify(reportOf(recorded.played)));
    expect(kept.played[0]!.transcript!.length).toBeGreaterThan(2);
    expect(kept.counts).toEqual({ kept: recorded.counts.asked, asked: 0, missing: 0 });
    expect(kept.words).toEqual({ kept: recorded.words.asked, asked: 0, missing: 0 });
    expect(kept.words.kept).toBe(7);
  } finally {
    await standIns.stop();
    await personas.stop();
    rmSync(folder, { recursive: true });
  }
});

test('the command plays the models that it names, instead of those of the evals, and compares them (R237)', async () => {
  const cwd = process.cwd();
  mkdirSync(join(cwd, '.vigil/test'), { recursive: true });
  const folder = mkdtempSync(join(cwd, '.vigil/test/models-'));
  const server = await startModelServer({
    script: ({ model }) => ({ text: model === 'gpt-5' ? 'All is well.' : 'I cannot say.' }),
  });
  const lines: string[] = [];
  try {
    process.chdir(folder);
    // The app of the other stories, which is synthesized.
    writeFileSync('cdk.json', JSON.stringify({ app: `cp -R "${assembly}/." "$CDK_OUTDIR"` }));
    const code = [
      `import { defineEval, says } from ${JSON.stringify(join(cwd, 'package/eval'))};`,
      "const cases = [{ name: 'a', says: 'How is it?', holds: [says('well')] }];",
      "export const one = defineEval({ name: 'models', agent: 'chat', models: ['gpt-6.1-sol'], cases });",
    ];
    writeFileSync('models.eval.ts', code.join('\n'));
    const args = ['eval', 'models.eval.ts', '--model', 'gpt-5', '--model', 'gpt-5-mini', '--json', 'report.json'];
    await withProvider(server.url, 'k', () => runCommand(args, (line) => lines.push(line)));
    expect(process.exitCode).toBe(1);
    const { played } = JSON.parse(readFileSync('report.json', 'utf8')) as { played: Played[] };
    expect(played.map(({ model, holds }) => [model, holds])).toEqual([
      ['gpt-5', true],
      ['gpt-5-mini', false],
    ]);
    expect(server.requests.map(({ model }) => model).sort()).toEqual(['gpt-5', 'gpt-5-mini']);
    expect(lines).toContainEqual(expect.stringContaining('models: a [gpt-5]'));
    expect(lines).toContain('gpt-5-mini, compared with gpt-5:');
  } finally {
    process.exitCode = undefined;
    process.chdir(cwd);
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
