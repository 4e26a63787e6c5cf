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
  ...{
    type: 'function',
    function: { name, parameters: { type: 'object', properties, required: Object.keys(properties) } },
  },
}));
const forms = [
  ...['```', '/call refund {"order":"some order","cents":1,"note":null}', '/call look {}', '/call find {"query":null}'],
  ...['/hand-off billing', '/hand-off loan-advisor', '/say some text', '```'],
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
    [
      '/say Both.\n/call look\n/call find {"query": "x"}',
      {
        text: 'Both.',
        calls: [
          ['look', {}],
          ['find', { query: 'x' }],
        ],
      },
    ],
    [
      '/call look\n/hand-off billing',
      {
        calls: [
          ['look', {}],
          ['hand_off_to_billing', { reason: 'The user asks for billing.' }],
        ],
      },
    ],
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

  test('after a hand-off the next agent says what it can play', () => {
    const handed = made(['hand_off_to_billing', 'The agent "billing" takes over the conversation.']);
    expect(reply(user('/hand-off billing'), ...handed)).toEqual({
      text: expect.stringMatching(/^This agent has the conversation now\. I am the stand-in model.*\n\/call refund /s),
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
  });
});
