import type { Conversation } from 'vigil-client';
import { judgeAt, structured } from '../../test/support/servers/judge-model';
import { type ModelServer, startModelServer } from '../../test/support/servers/model-server';
import { recordedConversation } from '../../test/support/stories/recorded';
import { agreementLines, type JudgedReply, judgedReplies, ratedReplies } from './agree';
import { judge } from './judge';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

type Given = NonNullable<Conversation['messages'][number]['feedback']>[number];
const given = (user: string, more: Partial<Given>): Given => ({ user, at: '2026-11-09T09:00:00.000Z', ...more });
const recorded = recordedConversation();
const conversation: Conversation = {
  ...recorded,
  messages: recorded.messages.map((message) => {
    if (message.seq === 1) return { ...message, feedback: [given('u', { dataset: true })] };
    if (message.seq === 2) return { ...message, feedback: [given('u', { verdict: 'down', reason: 'Xaver is rude.' })] };
    if (message.seq === 6)
      return { ...message, feedback: [given('u', { verdict: 'up' }), given('v', { verdict: 'down' }), given('w', {})] };
    return message;
  }),
};

test('each thumb is one of a reply, and a mark alone is none (R236)', () => {
  expect(ratedReplies('a.json', conversation).map(({ seq, thumbs }) => [seq, thumbs])).toEqual([
    [2, ['down']],
    [6, ['up', 'down']],
  ]);
});

test('a judge says up if it holds, once for each reply, and reads neither thumbs nor what came later (R236)', async () => {
  const kind = judge({ rubric: 'Kind.', scale: ['No.', 'Nearly.', 'Yes.'], atLeast: 2 });
  server.script([structured({ why: 'So.', grade: 1 }), structured({ why: 'Yes.', grade: 2 })]);
  const before = server.requests.length;
  const judged = await judgedReplies(kind, ratedReplies('a.json', conversation), judgeAt(server.url).ask);
  expect(judged).toEqual([
    { file: 'a.json', seq: 2, thumbs: ['down'], verdict: 'down', why: 'grade 1: So.' },
    { file: 'a.json', seq: 6, thumbs: ['up', 'down'], verdict: 'up', why: 'grade 2: Yes.' },
  ]);
  const asked = server.requests.slice(before).map(({ messages }) => String(messages[1]!.content));
  expect(asked).toHaveLength(2);
  expect(asked[0]).not.toContain('And again');
  expect(asked[1]).toContain('And again');
  expect(asked.join()).not.toMatch(/rude|feedback|down/);
  expect(agreementLines(kind, judged)).toEqual([
    'judge: Kind. (from grade 2 of 3, gpt-6.1-terra)',
    '  3 pairs, 0.67 agree, kappa 0.40',
    '    a.json, seq 6: judge up, person down. grade 2: Yes.',
  ]);
});

test('a judge that gives no verdict has no pair there, and the next reply is judged (R236)', async () => {
  server.script([{ text: 'Good!' }, structured({ why: 'So.', grade: 4 })]);
  const good = judge({ rubric: 'Good.\nReally.' });
  const judged = await judgedReplies(good, ratedReplies('a.json', conversation), judgeAt(server.url).ask);
  expect(agreementLines(good, judged)).toEqual([
    'judge: Good. Really. (from grade 3 of 4, gpt-6.1-terra)',
    '  2 pairs, 0.50 agree, no kappa: the judge always says up',
    '    a.json, seq 2: no verdict: the model has not answered in JSON: ask a model with structured output',
    '    a.json, seq 6: judge up, person down. grade 4: So.',
  ]);
});

const reply = (verdict: JudgedReply['verdict'], ...thumbs: JudgedReply['thumbs']): JudgedReply => ({
  file: 'a.json',
  seq: 1,
  thumbs,
  why: '',
  verdict,
});
test.each([
  [[reply('up', 'down'), reply('down', 'down')], '2 pairs, 0.50 agree, no kappa: people always say down'],
  [[reply('up', 'up')], '1 pair, 1.00 agree, no kappa: the judge always says up, and people always say up'],
  [[reply(undefined, 'up')], 'no pairs'],
  [[], 'no pairs'],
  [[reply('up', 'up'), reply('down', 'down')], '2 pairs, 1.00 agree, kappa 1.00'],
])('the figures say why kappa is missing: %# (R236)', (judged, line) => {
  expect(agreementLines(judge({ rubric: 'Kind.' }), judged)[1]).toBe(`  ${line}`);
});
