import type { Conversation } from 'vigil-client';
import { defineEval } from './define';
import { junitOf, linesOf, type Played, playedOf, reportOf, totalOf } from './report';
import { called, type Scorer } from './scorers';

const recorded = {
  calls: [{ tool: 'transfer', arguments: {}, status: 'completed' }],
  callbacks: [],
  messages: [{ role: 'user', author: 'u', text: 'Send 900.' }],
} as unknown as Conversation;
const transcript = [{ kind: 'said', by: 'user', text: 'Send 900.' }];
const used = { steps: 3, tokens: 1_000, costMicrodollars: 1_234_500 };

function played(holds: Scorer[], problem?: string, conversation: Conversation | undefined = recorded): Promise<Played> {
  const one = defineEval({ name: 'bank', agent: 'bank', cases: [{ name: 'rent & "more"', says: 'Send 900.', holds }] });
  const of = { eval: one, case: one.cases[0]!, trial: 2 };
  return playedOf({
    of,
    answered: undefined,
    problem,
    used: () => used,
    recorded: conversation,
    judged: conversation,
  });
}

test('a trial holds if it was played to its end and each score is 1 (R233)', async () => {
  expect((await played([called('transfer')])).holds).toBe(true);
  expect((await played([called('transfer'), called('refund')])).holds).toBe(false);
  expect((await played([called('transfer')], 'act 1: refused')).holds).toBe(false);
  const half: Scorer = { name: 'half', score: async () => ({ score: 0.5, why: 'so so' }) };
  expect(await played([half])).toEqual({
    eval: 'bank',
    case: 'rent & "more"',
    trial: 2,
    holds: false,
    used,
    scores: [{ name: 'half', score: 0.5, why: 'so so' }],
    transcript,
  });
});

test('a scorer may hold below 1, and may be left out where nothing judges (R236)', async () => {
  const good: Scorer = { name: 'good', score: () => ({ score: 0.67, why: 'grade 3', holds: true }) };
  expect(await played([good])).toMatchObject({ holds: true, scores: [{ score: 0.67, holds: true }] });
  const absent: Scorer = { name: 'absent', score: () => undefined };
  const both = await played([called('transfer'), absent]);
  expect([both.holds, both.leftOut]).toEqual([true, ['absent']]);
  expect(totalOf(reportOf([both]))).toContain('1 questions to judges were left out: the stand-in cannot judge.');
  // A case that shows nothing does not hold.
  expect((await played([absent])).holds).toBe(false);
});

test('what a persona did and used is shown, and cases that no persona played are counted (R233)', async () => {
  const one = await played([called('transfer')]);
  const persona = { turns: 2, done: 'I have it.', used: { steps: 3, tokens: 10, costMicrodollars: 400 } };
  const report = reportOf([{ ...one, persona }, one], undefined, 3);
  expect(report).toMatchObject({ personas: persona.used, leftOut: 3, used: { steps: 6 } });
  expect(linesOf(report.played.find((each) => each.persona)!).at(-1)).toBe('       persona: 2 turns, done: I have it.');
  expect(linesOf({ ...one, persona: { ...persona, done: undefined } }).at(-1)).toBe(
    '       persona: 2 turns, not done',
  );
  expect(totalOf(report)).toContain(
    'Personas: 3 questions, $0.0004. 3 trials with a persona were left out: the stand-in cannot play one.',
  );
  expect(reportOf([one])).not.toHaveProperty('personas');
});

test('the trials of a case have the same numbers in any order of their replies (R238)', async () => {
  const [first, second] = [await played([called('transfer')]), await played([called('refund')])];
  const report = (all: Played[]) => JSON.stringify(reportOf(all.map((one, index) => ({ ...one, trial: index + 1 }))));
  expect(report([first, second])).toBe(report([second, first]));
  expect(JSON.parse(report([first, second])).played.map(({ trial }: Played) => trial)).toEqual([1, 2]);
});

test.each<[string, () => unknown, string]>([
  ['2', () => ({ score: 2, why: '' }), 'TypeError: it must return { score, why }, with a score from 0 to 1'],
  ['NaN', () => ({ score: Number.NaN, why: '' }), 'TypeError: it must return { score, why }, with a score from 0 to 1'],
  ['nothing', () => undefined, ''],
  ['text', () => ({ score: '1', why: '' }), 'TypeError: it must return { score, why }, with a score from 0 to 1'],
  [
    'an error',
    () => {
      throw new RangeError('no such call');
    },
    'RangeError: no such call',
  ],
  ['a rejection without an error', () => Promise.reject('no'), 'Error: no'],
])('a scorer that gives %s fails its own score, and the others are kept (R236, R266)', async (_, score, why) => {
  const scorer: Scorer = { name: 'own', score: score as never };
  const { holds, scores, problem, leftOut } = await played([scorer, called('transfer')]);
  expect(scores.at(-1)).toMatchObject({ name: 'called transfer', score: 1 });
  expect(problem).toBeUndefined();
  if (why === '') return expect(leftOut).toEqual(['own']);
  expect(holds).toBe(false);
  expect(scores[0]).toEqual({ name: 'own', score: 0, why: `the scorer failed: ${why}`, holds: false });
});

test('a report is a table, and JUnit with what XML cannot have left out (R233)', async () => {
  const holding = { ...(await played([called('transfer')])), trial: 1 };
  const failing = await played([called('refund')], 'the words "<\u0000\u001b>"\tcome');
  const report = reportOf([holding, failing]);
  expect(linesOf(failing)).toEqual([
    expect.stringMatching(/^FAILS {2}bank: rent & "more" \(2\) +3 steps +\$1\.2345$/),
    '       the words "<\u0000\u001b>"\tcome',
    '       called refund: 0: the calls are transfer',
  ]);
  expect(linesOf(holding)).toEqual([expect.stringMatching(/^ok +bank: rent & "more" +3 steps +\$1\.2345$/)]);
  expect(totalOf(report)).toBe('1 of 2 hold. 6 steps, 2000 tokens, $2.4690.');
  expect(junitOf(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="bank" tests="2" failures="1">
    <testcase classname="bank" name="rent &amp; &quot;more&quot;"/>
    <testcase classname="bank" name="rent &amp; &quot;more&quot; (2)">
      <failure message="the words &quot;&lt;\uFFFD\uFFFD&gt;&quot;\tcome">the words &quot;&lt;\uFFFD\uFFFD&gt;&quot;\tcome
called refund: 0: the calls are transfer</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('the table says who has answered calls of tools, and names the model if there are several (R234)', async () => {
  const answered = (['recorded', 'recorded', 'refused'] as const).map((by) => ({ tool: 'pay', arguments: {}, by }));
  const holding: Played = { ...(await played([called('transfer')])), trial: 1, model: 'large', answered };
  expect(linesOf(holding)).toEqual([
    expect.stringMatching(/^ok +bank: rent & "more" \[large\] /),
    '       tools: pay recorded 2 times, pay refused',
  ]);
  expect(junitOf(reportOf([holding]))).toContain('name="rent &amp; &quot;more&quot; [large]"/>');
});
