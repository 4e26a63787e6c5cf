import type { Conversation } from 'vigil-client';
import * as z from 'zod';
import { defineEval, type EvalSpec } from './define';
import { askedForApproval, atMost, called, neverCalled, neverSays, order, result, type Scorer, says } from './scorers';

// What was recorded of a conversation in which a large transfer was denied.

const call = (tool: string, args: object, status = 'completed', more: object = {}) => ({
  tool,
  arguments: args,
  status,
  ...more,
});
/** A reply that took so many seconds. */
const reply = (text: string, seconds: number, more: object = {}) => ({
  role: 'assistant',
  text,
  step: 1,
  createdAt: '2040-01-02T09:00:00.000Z',
  completedAt: new Date(Date.UTC(2040, 0, 2, 9, 0, seconds)).toISOString(),
  ...more,
});
const recorded = (more: object = {}) =>
  ({
    calls: [
      call('get_balance', {}, 'completed', { result: { cents: 100 } }),
      call('transfer', { to: 'Ada', amount_cents: 90_000, tags: ['rent', 'may'] }, 'failed', { callbackId: 't' }),
    ],
    callbacks: [
      { id: 't', kind: 'approval', tool: 'transfer', status: 'answered', outcome: { approved: false } },
      { kind: 'question', tool: 'refund', status: 'answered' },
    ],
    messages: [
      { role: 'user', text: 'Send 900 dollars to Ada.' },
      // Their times are those of waits.
      reply('', 9, { background: true }),
      reply('', 9, { failedAttempts: [{ attempt: 1 }] }),
      { role: 'system', text: 'It is Monday.' },
      reply('The transfer was not approved.', 4),
    ],
    run: { result: { day: 'monday', places: [{ city: 'Kyoto', days: 2 }] } },
    usage: { modelCalls: 3, inputTokens: 900, outputTokens: 100, costMicrodollars: 700 },
    ...more,
  }) as unknown as Conversation;
const scored = (one: Scorer, more?: object) => one.score(recorded(more), {});
const holds = { score: 1, why: '' };

test.each<[what: string, holding: Scorer, failing: Scorer, why: string]>([
  ['a tool is called', called('transfer'), called('refund'), 'the calls are get_balance, transfer'],
  [
    'with arguments',
    called('transfer', { to: /^ada$/gi, tags: ['rent', /^m/] }),
    called('transfer', { amount_cents: 900 }),
    'amount_cents is 90000',
  ],
  [
    'with a list in full',
    called('transfer', { tags: ['rent', 'may'] }),
    called('transfer', { tags: ['rent'] }),
    'tags is ["rent","may"]',
  ],
  [
    'with arguments that there are',
    called('get_balance', {}),
    called('get_balance', { constructor: Object }),
    'constructor is missing',
  ],
  ['a tool is not called', neverCalled('refund'), neverCalled('get_balance'), 'it was called with {}'],
  [
    'in an order',
    order('get_balance', 'transfer'),
    order('transfer', 'get_balance'),
    'get_balance is missing at its place: the calls are get_balance, transfer',
  ],
  [
    'a tool twice in an order',
    order('get_balance', 'transfer'),
    order('transfer', 'transfer'),
    'transfer is missing at its place: the calls are get_balance, transfer',
  ],
  [
    'a result',
    result({ places: [{ city: /kyoto/i }] }),
    result({ places: [{ city: 'Kyoto', days: 3 }] }),
    'places[0].days is 2',
  ],
  [
    'a result by its schema',
    result(z.object({ day: z.string() })),
    result(z.object({ day: z.number() })),
    'day: Invalid input: expected number, received string',
  ],
  [
    'an approval',
    askedForApproval('transfer'),
    askedForApproval('refund'),
    'nobody was asked: the calls are get_balance, transfer',
  ],
  [
    'words of the agent, not of the user',
    says(/NOT approved/gi),
    says('900 dollars'),
    'the last reply is "The transfer was not approved."',
  ],
  [
    'words that are not said',
    neverSays('Monday'),
    neverSays(/transfer/y.source),
    'a reply is "The transfer was not approved."',
  ],
  [
    'what became of a call',
    called('transfer', { to: 'Ada' }, { outcome: 'denied', times: 1 }),
    called('transfer', {}, { outcome: 'completed' }),
    'the call is denied',
  ],
  [
    'how often a call is made',
    called('transfer', {}, { outcome: 'completed', times: 0 }),
    called('get_balance', {}, { times: 2 }),
    'there are 1 such calls',
  ],
  [
    'the result of a call',
    called('get_balance', {}, { result: { cents: 100 } }),
    called('get_balance', {}, { result: { cents: 200 } }),
    'result.cents is 100',
  ],
  ['the slowest reply', atMost({ latencyMs: 4_000 }), atMost({ latencyMs: 3_999 }), 'a call of a model took longer'],
  ['calls of models', atMost({ steps: 3 }), atMost({ steps: 2 }), 'it used 3 steps'],
  ['tokens', atMost({ tokens: 1_000 }), atMost({ steps: 9, tokens: 999 }), 'it used 1000 tokens'],
  ['money', atMost({ costMicrodollars: 700 }), atMost({ costMicrodollars: 699 }), 'it used 700 costMicrodollars'],
])('%s (R236)', (_, holding, failing, why) => {
  expect([holding, failing].map((one) => scored(one))).toEqual([holds, { score: 0, why }]);
  // A stateful expression finds the same once more.
  expect(scored(holding)).toEqual(holds);
});

test('what shows nothing does not hold (R236)', () => {
  expect(scored(neverSays('Monday'), { messages: [] })).toEqual({ score: 0, why: 'there is no reply' });
  expect(scored(says('Monday'), { messages: [] })).toEqual({ score: 0, why: 'there is no reply' });
  expect(scored(result({}), { run: { result: undefined } })).toEqual({
    score: 0,
    why: 'the last run has no result',
  });
  const usage = { modelCalls: 3, inputTokens: 9, outputTokens: 1, costMicrodollars: 0, unpricedCalls: 2 };
  expect(scored(atMost({ costMicrodollars: 700 }), { usage })).toEqual({
    score: 0,
    why: '2 calls of models have no price: add their models to VIGIL_PRICES',
  });
  expect(scored(atMost({ steps: 3 }), { usage })).toEqual(holds);
});

test.each<[status: string, callback: object, outcome: string]>([
  ['completed', {}, 'completed'],
  ['undone', {}, 'undone'],
  ['unknown', {}, 'unknown'],
  ['waiting', {}, 'open'],
  ['failed', { status: 'expired' }, 'expired'],
  ['failed', { status: 'answered', outcome: { approved: true } }, 'failed'],
  ['failed', { status: 'answered', outcome: { approved: false } }, 'denied'],
])('a call that is %s, with %j, is %s (R236)', (status, callback, outcome) => {
  const callbacks = [{ id: 't', kind: 'approval', tool: 'transfer', ...callback }];
  const given = { calls: [call('transfer', {}, status, { callbackId: 't' })], callbacks };
  expect(scored(called('transfer', {}, { outcome: outcome as never }), given)).toEqual(holds);
  const other = outcome === 'failed' ? 'denied' : 'failed';
  expect(scored(called('transfer', {}, { outcome: other }), given)).toEqual({
    score: 0,
    why: `the call is ${outcome}`,
  });
});

const one = { name: 'rent', says: 'Send 900 dollars to Ada.', holds: [called('transfer')] };
const spec = (more: object): EvalSpec => ({ name: 'bank', agent: 'bank', cases: [one], ...more }) as never;
const withAct = (act: object) => spec({ cases: [{ ...one, later: [{ says: 'Now?' }, act] }] });

test('an eval with each kind of act is taken (R233)', () => {
  const later = [
    { after: 'P3D' },
    { after: 'PT1H', says: 'Now?' },
    { approve: 'transfer', arguments: { to: 'Ada' }, group: 'finance' },
    { deny: 'transfer', reason: 'Too much.' },
    { answer: 'In May.' },
  ];
  const made = defineEval(spec({ cases: [{ ...one, later, claims: { team: 'a' }, groups: ['staff'] }] }));
  expect([made.kind, made.cases[0]!.later]).toEqual(['eval', later]);
});

test.each<[definition: EvalSpec, message: string]>([
  [
    spec({ agnet: 'x' }),
    'Eval bank: agnet: there is no such field: the fields are name, agent, cases, scorers, limits, instructions or models',
  ],
  [spec({ cases: [] }), 'Eval bank: cases: must have at least one case.'],
  [spec({ cases: [one, one] }), 'Eval bank: cases[1].name: "rent" is the name of another case.'],
  [
    spec({ cases: [{ ...one, holds: [] }] }),
    'Eval bank: cases[0].holds: is missing: a case without a scorer shows nothing.',
  ],
  [spec({ scorers: [called('transfer')] }), 'Eval bank: cases[0].holds: has the scorer "called transfer" twice.'],
  [
    withAct({ after: '3 days', says: 'Now?' }),
    'Eval bank: cases[0].later[1].after: must be an ISO 8601 duration of weeks',
  ],
  [withAct({ after: 'P0D' }), 'Eval bank: cases[0].later[1].after: must be an ISO 8601 duration of weeks'],
  [withAct({}), 'Eval bank: cases[0].later[1].after: is missing'],
  [withAct({ aprove: 'transfer' }), 'Eval bank: cases[0].later[1].aprove: is no act: name one of says, approve'],
  [
    withAct({ approve: 'transfer', answer: 'x' }),
    'Eval bank: cases[0].later[1].answer: there is no such field: the fields are after, group, approve or arguments',
  ],
  [
    spec({ cases: [{ ...one, says: undefined }] }),
    'Eval bank: cases[0].says: is missing: a case begins with it, with a `persona`, or `from` a recording.',
  ],
  [spec({ cases: [{ ...one, from: { recording: 'a.json' } }] }), 'Eval bank: cases[0].from.step: is missing'],
  [
    spec({ cases: [{ ...one, from: { recording: 'a.json', step: 0 } }] }),
    'Eval bank: cases[0].from.step: must be a whole number of at least 1',
  ],
  [spec({ cases: [{ ...one, live: true }] }), 'Eval bank: cases[0].live: is for a case from a recording'],
  [
    spec({ cases: [{ ...one, from: { recording: 'a.json', step: 1 }, files: ['a.png'] }] }),
    'Eval bank: cases[0].files: go with a first message',
  ],
  [spec({ models: ['a', 'b', 'a'] }), 'Eval bank: models: has "a" twice.'],
  [spec({ limits: { rounds: 3 } }), 'Eval bank: limits.rounds: there is no such field'],
  [spec({ name: '' }), 'Eval: name: must be a text'],
])('a definition with a mistake is refused in one line: %# (R233)', (definition, message) => {
  const define = () => defineEval(definition);
  expect(define).toThrow(message);
  expect(define).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
});

test.each([
  [() => called(''), 'called: tool: must be a text'],
  [() => order('a'), 'order: name at least two tools.'],
  [() => atMost({}), 'atMost: name at least one of steps, costMicrodollars, tokens, latencyMs.'],
  [() => atMost({ turns: 3 } as never), 'atMost: turns: there is no such field'],
  [() => says(''), 'says: words: must be a text'],
])('a scorer that could not fail, or not hold, is refused: %# (R236)', (make, message) => {
  expect(make).toThrow(message);
});
