import fc from 'fast-check';
import { isWellFormed } from '../../core/base/text/clip';
import { SaidText } from './said-text';

function said(pieces: string[]): { text: string; streamed: string } {
  let streamed = '';
  const text = new SaidText((piece) => {
    streamed += piece;
  });
  for (const piece of pieces) text.add(piece);
  return { text: text.end(), streamed };
}

test.each([
  ['Hi.', 'Hi.'],
  ['  Hi.', '  Hi.'],
  ['<think>\nHm, 1 < 2.\n</think>\n\nHi.', 'Hi.'],
  ['\n<thinking>Hm.</thinking><think>Hm.</think> Hi.', 'Hi.'],
  ['<THINK>Hm.</think>Hi.', 'Hi.'],
  ['[THINK]Hm.[/THINK]Hi.', 'Hi.'],
  ['<think></think>', ''],
  ['<think>Hm, and no more', ''],
  ['<thin air> is HTML', '<thin air> is HTML'],
  ['<thin', '<thin'],
  ['Write <think>x</think> so.', 'Write <think>x</think> so.'],
  ['```\n<think>\n</think>\n```', '```\n<think>\n</think>\n```'],
  ['Nul \0, half \ud83d, whole 😀', 'Nul \ufffd, half \ufffd, whole 😀'],
])('of %j, %j is said, however it arrives (R189)', (given, expected) => {
  for (const pieces of [[given], given.split(''), given.split(/(?=[<>\n])/)])
    expect(said(pieces)).toEqual({ text: expected, streamed: expected });
});

test('thoughts that have only an end are no part of the text in the end', () => {
  expect(said(['Hm, let me see.\n', '</think>\n\nHi.']).text).toBe('Hi.');
  expect(said(['Use `\n</think>\n` so.']).text).toBe('Use `\n</think>\n` so.');
});

test('however a text is cut into pieces, the same is said, and it is what is streamed', () => {
  const text = fc.string({
    unit: fc.constantFrom('<think>', '</think>', 'a', ' ', '<', '\ud83d', '\ude00', '😀', '`'),
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40)), (whole, cuts) => {
      const places = [...cuts].sort((a, b) => a - b);
      const pieces = [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length));
      expect(said(pieces)).toEqual(said([whole]));
      expect(isWellFormed(said(pieces).text)).toBe(true);
    }),
  );
});

test('a text that does not end is no reply', () => {
  const text = new SaidText(() => undefined);
  expect(() => {
    for (;;) text.add('x'.repeat(1_000_000));
  }).toThrow("The model's reply does not end.");
});
