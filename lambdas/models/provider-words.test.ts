import type { Item } from '../../core/base/content/items';
import { providerWords } from './provider-words';

const key = 'sk-secret-1234567890';
const items: Item[] = [
  { kind: 'message', by: 'user', text: 'My PIN is 4711, please pay the Antidisestablishmentarian society at once' },
  { kind: 'call', id: 'c', tool: 'pay', arguments: '{"note":"for my dear old aunt Augusta"}' },
  { kind: 'result', callId: 'c', text: 'The balance of the account is low' },
];
const words = (message: unknown) => providerWords({ message }, items, key);

describe('what a provider says of a request that it refuses (R138)', () => {
  test('is kept as it is', () => {
    const said =
      "Function tools with reasoning_effort are not supported for gpt-6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
    expect(words(said)).toBe(said);
  });

  test.each([
    ['Invalid value: "My PIN is 4711, please pay" is no object', 'Invalid value: "… is …, please …" is no object'],
    ['Unknown field 4711 in messages', 'Unknown field … in messages'],
    ['Could not read the society, Augusta', 'Could not read the …'],
    ['arguments: for my dear old aunt Augusta: not JSON', 'arguments: for …: not JSON'],
    ['Tool result: the balance of the account is low!', 'Tool result: the … of the … is …!'],
    ['Incorrect API key provided: sk-secret-1234567890.', 'Incorrect API key provided: ….'],
    ['Bad header Bearer abcdef123456', 'Bad header …'],
    ['Item rs_0123456789abcdef0123456789abcdef is unknown', 'Item … is unknown'],
  ])('is kept without keys and without words of the conversation: %s', (said, told) => {
    const shown = words(said);
    expect(shown).toBe(told);
    expect(shown).not.toMatch(/4711|augusta|balance|secret-1|abcdef/i);
  });

  test('is found in the forms that servers have, and is shortened', () => {
    expect(providerWords([{ error: { message: 'Bad request' } }], items, key)).toBe('Bad request');
    expect(providerWords({ detail: 'nope' }, items, key)).toBe('nope');
    expect(providerWords('words alone', items, key)).toBe('');
    expect(providerWords(undefined, items, key)).toBe('');
    expect(words('x '.repeat(400)).length).toBeLessThanOrEqual(301);
  });
});
