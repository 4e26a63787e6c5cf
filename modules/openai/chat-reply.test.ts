import { ChatReply } from './chat-reply';

describe('a streamed reply', () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] });

  test.each<[string, object[], string[][]]>([
    [
      'repeats the name in each fragment',
      [
        { index: 0, id: 'a', function: { name: 'reminder', arguments: '' } },
        { index: 0, id: 'a', function: { name: 'reminder', arguments: '{"m":' } },
        { index: 0, id: 'a', function: { name: 'reminder', arguments: '1}' } },
      ],
      [['a', 'reminder', '{"m":1}']],
    ],
    [
      'sends the name in fragments',
      [
        { index: 0, id: 'a', function: { name: 're' } },
        { index: 0, function: { name: 'mind' } },
        { index: 0, function: { name: 'er', arguments: '' } },
        { index: 0, function: { arguments: '{}' } },
      ],
      [['a', 'reminder', '{}']],
    ],
    [
      'sends two calls in turns',
      [
        { index: 0, id: 'a', function: { name: 'current_time', arguments: '{' } },
        { index: 1, id: 'b', function: { name: 'reminder', arguments: '{"m":' } },
        { index: 0, function: { arguments: '}' } },
        { index: 1, function: { arguments: '1}' } },
      ],
      [
        ['a', 'current_time', '{}'],
        ['b', 'reminder', '{"m":1}'],
      ],
    ],
    [
      'sends each call whole, and all with the index 0, as Ollama does',
      [
        { index: 0, id: 'a', function: { name: 'current_time', arguments: '{}' } },
        { index: 0, id: 'b', function: { name: 'current_time', arguments: '{}' } },
      ],
      [
        ['a', 'current_time', '{}'],
        ['b', 'current_time', '{}'],
      ],
    ],
    [
      'numbers nothing and names nothing but the tools',
      [
        { function: { name: 'current_time', arguments: '{}' } },
        { function: { name: 'reminder', arguments: '{"m":' } },
        { function: { name: 'reminder', arguments: '1}' } },
      ],
      [
        ['', 'current_time', '{}'],
        ['', 'reminder', '{"m":1}'],
      ],
    ],
    [
      'sends two whole calls of one tool, without ids',
      [{ function: { name: 'pay', arguments: '{"a":1}' } }, { function: { name: 'pay', arguments: '{"a":2}' } }],
      [
        ['', 'pay', '{"a":1}'],
        ['', 'pay', '{"a":2}'],
      ],
    ],
    [
      'gives all calls the same index, and the same id',
      [
        { index: 0, id: 'a', function: { name: 'pay', arguments: '{"a":1}' } },
        { index: 0, id: 'a', function: { name: 'pay', arguments: '{"a":2}' } },
        { index: 0, id: 'a', function: { name: 'look', arguments: {} } },
      ],
      [
        ['a', 'pay', '{"a":1}'],
        ['a', 'pay', '{"a":2}'],
        ['a', 'look', '{}'],
      ],
    ],
    [
      'calls two tools without ids, the first with empty arguments',
      [{ function: { name: 'current_time', arguments: '' } }, { function: { name: 'reminder', arguments: '{"m":1}' } }],
      [
        ['', 'current_time', '{}'],
        ['', 'reminder', '{"m":1}'],
      ],
    ],
    [
      'calls two tools without arguments, without ids',
      [{ function: { name: 'look', arguments: '' } }, { function: { name: 'think', arguments: '' } }],
      [
        ['', 'look', '{}'],
        ['', 'think', '{}'],
      ],
    ],
    [
      'repeats the name after complete arguments',
      [
        { index: 0, id: 'a', function: { name: 'look', arguments: '{}' } },
        { index: 0, id: 'a', function: { name: 'look', arguments: '' } },
        { index: 0, function: { name: 'look', arguments: '' } },
      ],
      [['a', 'look', '{}']],
    ],
    [
      'has numbers as ids, and texts as indexes',
      [
        { index: '0', id: 123, function: { name: 'look', arguments: '{' } },
        { index: '0', id: null, function: { arguments: '}' } },
      ],
      [['123', 'look', '{}']],
    ],
    ['has no object `function`', [{ id: 'a', name: 'look', arguments: { a: 1 } }], [['a', 'look', '{"a":1}']]],
    [
      'encodes the arguments twice',
      [{ id: 'a', function: { name: 'look', arguments: '"{\\"a\\":1}"' } }],
      [['a', 'look', '{"a":1}']],
    ],
    ...['null', '""', '[]', ' ', null, undefined, [], {}].map((given): [string, object[], string[][]] => [
      `sends ${JSON.stringify(given)} for no arguments`,
      [{ index: 0, id: 'a', function: { name: 'look', arguments: given } }],
      [['a', 'look', '{}']],
    ]),
    [
      'sends a list as arguments, which the model is told about',
      [{ index: 0, id: 'a', function: { name: 'look', arguments: [1] } }],
      [['a', 'look', '[1]']],
    ],
    [
      'sends odd names, which must not become those of other tools',
      [
        { index: 0, id: 'a', function: { name: ' pay\u0000 ', arguments: '{}' } },
        { index: 1, id: 'b', function: { name: 'p\ud83dy', arguments: '{}' } },
        { index: 2, id: 'c', function: { arguments: '{}' } },
        { index: 3, id: 'd', function: { name: 7, arguments: '{}' } },
      ],
      [
        ['a', 'pay\ufffd', '{}'],
        ['b', 'p\ufffdy', '{}'],
        ['c', '(no name)', '{}'],
        ['d', '(no name)', '{}'],
      ],
    ],
  ])('of a server that %s is understood (R13)', (_what, deltas, expected) => {
    const collected = new ChatReply(() => undefined);
    for (const delta of deltas) collected.add(chunk({ tool_calls: [delta] }));
    collected.add(chunk({}, 'tool_calls'));
    const { toolCalls } = collected.finish();
    expect(toolCalls.map(({ id, name, arguments: args }) => [id, name, args])).toEqual(expected);
  });

  test('of several that a server makes at once is the first (R275)', () => {
    const reply = new ChatReply(() => undefined);
    const said = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null });
    reply.add({ choices: [said(1, 'Other '), said(0, 'First ')] });
    reply.add({ choices: [said(1, 'words.')] });
    reply.add({ choices: [{ ...said(0, 'words.'), finish_reason: 'stop' }] });
    expect(reply.finish(true).text).toBe('First words.');
  });

  test('with two entries in one chunk has two calls (R189)', () => {
    const one = { function: { name: 'pay', arguments: '{"a":1}' } };
    for (const entries of [
      [one, one],
      [
        { ...one, index: 0 },
        { ...one, index: 0 },
      ],
      [{ function: { name: 'look' } }, { function: { name: 'look' } }],
    ]) {
      const collected = new ChatReply(() => undefined);
      collected.add(chunk({ tool_calls: entries }, 'tool_calls'));
      expect(collected.finish().toolCalls).toHaveLength(2);
    }
  });

  test('of the older form, with `function_call`, is understood', () => {
    const collected = new ChatReply(() => undefined);
    collected.add(chunk({ function_call: { name: 'pay', arguments: '{"a"' } }));
    collected.add(chunk({ function_call: { arguments: ':1}' } }, 'function_call'));
    expect(collected.finish().toolCalls).toEqual([{ id: '', name: 'pay', arguments: '{"a":1}' }]);
  });

  test('that is a whole message, with parts of several kinds, is understood', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'It is ' },
      'noon',
      { type: 'image_url', image_url: {} },
      { type: 'output_text', text: '.' },
      null,
    ];
    const collected = new ChatReply(() => undefined);
    collected.add({ choices: [null, { message: { content, tool_calls: null } }] });
    expect(collected.finish()).toMatchObject({ text: 'It is noon.', toolCalls: [] });
  });

  test.each<[unknown, object]>([
    ['LENGTH', { cutOff: 'length' }],
    ['eos', {}],
    [7, {}],
    [true, {}],
  ])('that ends with %j is complete', (end, expected) => {
    const collected = new ChatReply(() => undefined);
    collected.add({ choices: [{ delta: { content: 'Hi.' }, finish_reason: end }] });
    const { text, cutOff } = collected.finish();
    expect({ text, cutOff }).toEqual({ text: 'Hi.', cutOff: undefined, ...expected });
  });

  test('without a reason for its end is complete if the server says that nothing follows', () => {
    const collected = new ChatReply(() => undefined);
    collected.add(chunk({ content: 'Hi.' }));
    expect(collected.finish(true).text).toBe('Hi.');
  });

  test.each([null, '', 'error'])('that ends with %j broke off', (end) => {
    const collected = new ChatReply(() => undefined);
    collected.add(chunk({ content: 'Hal' }, end));
    expect(() => collected.finish()).toThrow("The model's answer broke off.");
  });
});
