import * as z from 'zod';
import { typedAnswer } from '../../core/conversations/agent/typed-answer';
import { answer } from './answer';
import { readTurn } from './turn';

// What a person types is what the model replies, with the tools of any agent.

const text = { type: 'string' };
const tools = Object.entries({
  refund: { order: text, cents: { type: 'integer' }, note: { type: ['string', 'null'] } },
  look: {},
  find: { query: { anyOf: [text, { type: 'null' }] } },
  hand_off_to_billing: { reason: text },
  hand_off_to_loan_advisor: { reason: text },
}).map(([name, properties]) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties, required: Object.keys(properties) } },
}));
const forms = [
  '```',
  '/call refund {"order":"some order","cents":1,"note":null}',
  '/call look {}',
  '/call find {"query":null}',
  '/hand-off billing',
  '/hand-off loan-advisor',
  '/say some text',
  '```',
].join('\n');

const user = (content: string) => ({ role: 'user', content });
const made = (...results: [name: string, result: string][]) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: results.map(([name], index) => ({
      id: `${name}${index}`,
      type: 'function',
      function: { name, arguments: '{}' },
    })),
  },
  ...results.map(([name, content], index) => ({ role: 'tool', tool_call_id: `${name}${index}`, content })),
];
const reply = (...messages: object[]) => answer(readTurn({ model: 'm', messages, tools } as never));
const say = (words: string) => reply(user(words));

describe('a command is the reply (R128)', () => {
  test.each<[said: string, reply: { text?: string; calls: [name: string, input: object][] }]>([
    [
      '/call refund {"order": "A1", "cents": 5, "note": "Late"}',
      { calls: [['refund', { order: 'A1', cents: 5, note: 'Late' }]] },
    ],
    ['/call refund {"order": "A1", "cents": 5}', { calls: [['refund', { order: 'A1', cents: 5, note: null }]] }],
    [
      '  /CALL refund {\n  "order": "A1",\n  "cents": 5\n}\n',
      { calls: [['refund', { order: 'A1', cents: 5, note: null }]] },
    ],
    ['/call refund {}', { calls: [['refund', { note: null }]] }],
    ['/call look', { calls: [['look', {}]] }],
    ['/call look{}', { calls: [['look', {}]] }],
    ['/call find', { calls: [['find', { query: null }]] }],
    ['/say some text', { text: 'some text', calls: [] }],
    ['/say one\ntwo\n\n- /three', { text: 'one\ntwo\n\n- /three', calls: [] }],
    ['/hand-off billing', { calls: [['hand_off_to_billing', { reason: 'The user asks for billing.' }]] }],
    ['/hand-off loan-advisor About a car', { calls: [['hand_off_to_loan_advisor', { reason: 'About a car' }]] }],
    ['/call hand_off_to_billing {"reason": "So."}', { calls: [['hand_off_to_billing', { reason: 'So.' }]] }],
  ])('%s', (said, { text: words = '', calls }) => {
    expect(say(said)).toEqual({ text: words, calls: calls.map(([name, input]) => ({ name, arguments: input })) });
  });

  test.each([
    [
      '/call refund {"order": "A1"',
      /^The arguments of refund must be a JSON object: .*JSON.* Write:\n\n```\n\/call refund \{"order":"some order","cents":1,"note":null\}\n```$/s,
    ],
    ['/call refund', /^The arguments of refund must be a JSON object: there are none\. Write:/],
    ['/call refund ["A1"]', /^The arguments of refund must be a JSON object: \["A1"\] is not one\. Write:/],
    ['/call refund "A1"', /"A1" is not one\./],
    ['/call refund null', /null is not one\./],
    ['/call', /^There is no tool ""/],
    ['/call refnd {}', /^There is no tool "refnd"/],
    ['/hand-off sales', /^There is no agent "sales" to hand off to/],
    ['/hand-off', /^There is no agent ""/],
    ['/say', /^There are no words after "\/say"/],
    ['/refund A1', /^There is no command "\/refund"/],
    ['/', /^There is no command "\/"/],
  ])('%s is answered with what is wrong with it, and calls nothing', (said, words) => {
    const { text: told, calls = [] } = say(said);
    expect(told).toMatch(words);
    expect(told).toMatch(/```\n\/call refund /);
    expect(calls).toEqual([]);
  });

  test('one mistake among several: nothing is called, and each mistake is named', () => {
    const { text: told, calls = [] } = say('/call look\n/call nothing\n/hand-off nowhere');
    expect(calls).toEqual([]);
    expect(told).toMatch(/There is no tool "nothing"[\s\S]*There is no agent "nowhere"/);
  });

  test('when the results are there, it reports them, shortened, and calls nothing again', () => {
    const said = user('/call look\n/call refund {}');
    const results = made(['look', `{"page":"${'x'.repeat(500)}"}`], ['refund', 'Error: There is no such order.']);
    expect(reply(said, ...results)).toEqual({
      text: `look answered: {"page":"${'x'.repeat(191)} …\n\nrefund failed: There is no such order.`,
    });
    const edited = '[The approver changed the arguments. What was approved and done: {"cents":1}] {"ok":true}';
    expect(reply(user('/call refund {}'), ...made(['refund', edited]))).toEqual({
      text: 'refund answered: {"ok":true} You changed it when you approved it.',
    });
  });
});

describe('any other message (R128)', () => {
  test('is answered with what can be typed, filled with examples from the schemas', () => {
    expect(say('Refund my order')).toEqual({ text: expect.stringContaining(forms) });
    expect(say('Write "/call look" for me').text).toMatch(/^I have no answer to that\./);
    expect(say('Thank you!')).toEqual({ text: "You're welcome." });
  });

  test('a note that wakes the agent is reported, and the command before it is not played again', () => {
    const before = [user('/call look'), ...made(['look', '{}']), { role: 'assistant', content: 'look answered: {}' }];
    const note = (words: string) => user(`[A note from the system, not from the user] ${words}`);
    expect(reply(...before, note('The parcel is there.'))).toEqual({ text: 'I was told: The parcel is there.' });
    const due = note('⏰ Due at 2030-01-01T00:00:00Z, as arranged at 2029-01-01T00:00:00Z: the tool look is called.');
    expect(reply(...before, due, ...made(['look', '{"seen":1}']))).toEqual({ text: 'look answered: {"seen":1}' });
    expect(reply(user('/call look'), note('You know of it: rain.')).calls).toEqual([{ name: 'look', arguments: {} }]);
    // Where the user is begins nothing, not even before the note of a schedule.
    const place = note(
      "The user's time zone is Asia/Tokyo: times that they name, and times that you tell them, are local.",
    );
    expect(reply(place, note('The parcel is there.'))).toEqual({ text: 'I was told: The parcel is there.' });
  });
});

describe('an agent with an output ends with an object that fits it (R248)', () => {
  const output = {
    type: 'object',
    properties: {
      city: text,
      days: { type: 'integer', description: 'How long (from 2 to 5)' },
      why: { type: ['string', 'null'] },
    },
    required: ['city', 'days', 'why'],
    additionalProperties: false,
  };
  const instructions = (schema: object) => ({
    role: 'system',
    content: `You plan {trips}.\n\nEnd with a JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`,
  });
  const example = { city: 'some city', days: 2, why: null };
  const ending = (...messages: object[]) => reply(instructions(output), ...messages);
  /** What Vigil reads of the reply. */
  const objectIn = ({ text: words = '' }) =>
    typedAnswer(z.object({ city: z.string(), days: z.int(), why: z.string().nullable() }), words);

  test('which an author reads between words: an example, after what there is to say', () => {
    const lost = ending(user('Where to?'));
    expect(lost.text).toMatch(
      /^I have no answer to that\.[\s\S]*\n\/result \{"city":"some city","days":2,"why":null\}\n```\n\n```json\n/,
    );
    expect(lost.text).not.toContain('/say');
    for (const said of ['Where to?', 'Hello', '/say Kyoto.', '/say An open fence: ``` {', '/call nothing', '/say'])
      expect([said, objectIn(ending(user(said)))]).toEqual([said, { result: example }]);
    const results = made(['look', '{"page":"```"}']);
    expect(objectIn(ending(user('/call look'), ...results))).toEqual({ result: example });
    const correction =
      '[A note from the system, not from the user] Your last answer does not fit the schema: days: wrong.';
    const corrected = ending(user('Hi'), { role: 'assistant', content: '{}' }, user(correction));
    expect(corrected.text).toContain('I was told: Your last answer does not fit');
    expect(objectIn(corrected)).toEqual({ result: example });
  });

  test('in whose field for sentences it says what happened, and which is all that it says to a server that holds it to a schema', () => {
    const answering = { type: 'object', properties: { city: text, answer: text }, required: ['city', 'answer'] };
    const request = {
      model: 'm',
      messages: [instructions(answering), user('/call look'), ...made(['look', '{"seen":1}'])],
      tools,
    };
    expect(answer(readTurn(request as never)).text).toBe(
      JSON.stringify({ city: 'some city', answer: 'look answered: {"seen":1}' }),
    );
    const lost = { ...request, messages: [instructions(answering), user('Where to?')] };
    const schema = z.object({ city: z.string(), answer: z.string() });
    expect(typedAnswer(schema, answer(readTurn(lost as never)).text!)).toEqual({
      result: { city: 'some city', answer: 'some answer' },
    });
    const response_format = { type: 'json_schema', json_schema: { name: 'result', strict: true, schema: output } };
    const held = { model: 'm', messages: [user('Where to?')], tools, response_format };
    expect(JSON.parse(answer(readTurn(held as never)).text!)).toEqual(example);
  });

  test('which a person types, with the rest of the message: `/result` ends it after the calls', () => {
    expect(ending(user('/result {"city": "Kyoto", "days": 3}'))).toEqual({
      text: '{"city":"Kyoto","days":3,"why":null}',
    });
    const both = user('/call look\n/result {"city": "Kyoto",\n "days": 4}');
    expect(ending(both).calls).toEqual([{ name: 'look', arguments: {} }]);
    expect(ending(both, ...made(['look', '{}']))).toEqual({ text: '{"city":"Kyoto","days":4,"why":null}' });
    const told = ending(user('/say Here.\n/result {"city": "Kyoto", "days": 3}')).text!;
    expect(told).toMatch(/^Here\.\n\n```json\n/);
    expect(objectIn({ text: told })).toEqual({ result: { city: 'Kyoto', days: 3, why: null } });
  });

  test.each([
    [
      '/result {"city": "Kyoto"',
      /^The result must be a JSON object: .*JSON.* Write:\n\n```\n\/result \{"city":"some city","days":2,"why":null\}\n```/s,
    ],
    ['/result', /^The result must be a JSON object: there are none\. Write:/],
    ['/result {"city": "Kyoto"}', /^The result does not fit the agent's output: days: .*\. Write:/],
    [
      '/result {"city": "Kyoto", "days": 9}',
      /^The result does not fit the agent's output: days: Too big.*<=5\. Write:/,
    ],
    [
      '/result {"city": "Kyoto", "days": 2, "x": 1}',
      /^The result does not fit the agent's output: Unrecognized key: "x"/,
    ],
    ['/call look\n/result {"days": 2}', /^The result does not fit the agent's output: city: /],
    ['/result {"city": "Kyoto", "days": 2}\n/call look', /^Nothing can come after "\/result"\./],
  ])('%s is answered with what is wrong with it, calls nothing, and ends with an example', (said, words) => {
    const ended = ending(user(said));
    expect(ended).toEqual({ text: expect.stringMatching(words) });
    expect(objectIn(ended)).toEqual({ result: example });
  });

  test('an agent without one is told so', () => {
    expect(say('/result {}').text).toMatch(/^This agent has no output, so it ends with words\. Available:/);
  });
});

describe('commands are played in their order (R248)', () => {
  test('words after a call are said when its result is there, also between two calls', () => {
    const said = user('/say First.\n/call look\n/say Then.\n/call find\n/say Last.');
    const seen = made(['look', '{}']);
    const found = made(['find', '{}']);
    expect(reply(said)).toEqual({ text: 'First.', calls: [{ name: 'look', arguments: {} }] });
    expect(reply(said, ...seen)).toEqual({ text: 'Then.', calls: [{ name: 'find', arguments: { query: null } }] });
    expect(reply(said, ...seen, ...found)).toEqual({ text: 'Last.', calls: [] });
  });

  test('what follows a hand-off is played by the next agent, with its tools', () => {
    const said = '/call look\n/hand-off billing\n/call nothing_here\n/say Done.';
    expect(say(said).calls?.map(({ name }) => name)).toEqual(['look', 'hand_off_to_billing']);
    const handed = made(['look', '{}'], ['hand_off_to_billing', 'The agent "billing" takes over the conversation.']);
    expect(reply(user(said), ...handed).text).toMatch(/^There is no tool "nothing_here"/);
    expect(reply(user('/hand-off billing\n/say Done.'), ...made(['hand_off_to_billing', '']))).toMatchObject({
      text: 'Done.',
    });
  });
});
