import type { Conversation } from 'vigil-client';
import * as z from 'zod';
import { defineEval, type EvalSpec } from './define';
import { askedForApproval, atMost, called, neverCalled, neverSays, order, result, type Scorer, says } from './scorers';

// What was recorded of a conversation in which a large transfer was denied.

const call = (tool: string, args: object, status = 'completed') => ({ tool, arguments: args, status });
const recorded = (more: object = {}) =>
  ({
    calls: [
      call('get_balance', {}),
      call('transfer', { to: 'Ada', amount_cents: 90_000, tags: ['rent', 'may'] }, 'failed'),
    ],
    callbacks: [
      { kind: 'approval', tool: 'transfer', status: 'answered' },
      { kind: 'question', tool: 'refund', status: 'answered' },
    ],
    messages: [
      { role: 'user', text: 'Send 900 dollars to Ada.' },
      { role: 'assistant', text: '' },
      { role: 'system', text: 'It is Monday.' },
      { role: 'assistant', text: 'The transfer was not approved.' },
    ],
    run: { result: { day: 'monday', places: [{ city: 'Kyoto', days: 2 }] } },
    usage: { modelCalls: 3, inputTokens: 900, outputTokens: 100, costMicrodollars: 700 },
    ...more,
  }) as unknown as Conversation;
const scored = (one: Scorer, more?: object) => one.score(recorded(more));
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
    'Eval bank: cases[0].says: is missing: a case begins with it, or `from` a recording.',
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
  [spec({ limits: { turns: 3 } }), 'Eval bank: limits.turns: there is no such field'],
  [spec({ name: '' }), 'Eval: name: must be a text'],
])('a definition with a mistake is refused in one line: %# (R233)', (definition, message) => {
  const define = () => defineEval(definition);
  expect(define).toThrow(message);
  expect(define).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
});

test.each([
  [() => called(''), 'called: tool: must be a text'],
  [() => order('a'), 'order: name at least two tools.'],
  [() => atMost({}), 'atMost: name at least one of steps, costMicrodollars, tokens.'],
  [() => atMost({ turns: 3 } as never), 'atMost: turns: there is no such field'],
  [() => says(''), 'says: words: must be a text'],
])('a scorer that could not fail, or not hold, is refused: %# (R236)', (make, message) => {
  expect(make).toThrow(message);
});
