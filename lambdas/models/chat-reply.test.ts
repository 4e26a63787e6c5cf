import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { ChatReply } from './chat-reply';

describe('a streamed reply', () => {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    ({ choices: [{ delta, finish_reason }] }) as ChatCompletionChunk;

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
  ])('of a server that %s is understood (R13)', (_what, deltas, expected) => {
    const collected = new ChatReply(() => undefined);
    for (const delta of deltas) collected.add(chunk({ tool_calls: [delta] }));
    collected.add(chunk({}, 'tool_calls'));
    const { toolCalls } = collected.finish();
    expect(toolCalls.map(({ id, name, arguments: args }) => [id, name, args])).toEqual(expected);
  });

  test.each([null, 'error'])('that ends with %j broke off', (end) => {
    const collected = new ChatReply(() => undefined);
    collected.add(chunk({ content: 'Hal' }, end));
    expect(() => collected.finish()).toThrow("The model's answer broke off.");
  });
});
