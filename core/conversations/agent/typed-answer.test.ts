import * as z from 'zod';
import { typedAnswer } from './typed-answer';

const Place = z.object({ city: z.string() });
const json = '{"city":"Rome"}';

test.each([
  json,
  ` ${json}\n`,
  `\`\`\`json\n${json}\n\`\`\``,
  `Here you are:\n\n\`\`\`json\n${json}\n\`\`\`\n\nAnything else?`,
  `\`\`\`\n${json}\n\`\`\` is it.`,
  `First {"city": 1}:\n\`\`\`json\n{"city":"Oslo"}\n\`\`\`\nNo, rather:\n\`\`\`json\n${json}\n\`\`\``,
  `The answer is ${json}.`,
  '{"city":"Rome"} Bye.',
])('a typed answer is found in %j (R189)', (text) => {
  expect(typedAnswer(Place, text)).toEqual({ result: { city: 'Rome' } });
});

test.each([
  ['Rome', 'it is not JSON'],
  ['', 'it is not JSON'],
  ['{"city":', 'it is not JSON'],
  ['} {', 'it is not JSON'],
  ['```json\n[1]\n```', 'the object'],
])('%j has none', (text, problem) => {
  expect(typedAnswer(Place, text)).toEqual({ problem: expect.stringContaining(problem) });
});

const more = ' has more digits than a number keeps: send it as text';
test.each([
  ['digits that a number does not keep', '{"id":9007199254740993}', `id: 9007199254740993${more}`],
  ['them between sentences', 'It is {"id":9007199254740993}.', `id: 9007199254740993${more}`],
  ['them in a fenced block', '```json\n{"id":1e400}\n```', `id: 1e400${more}`],
  ['150,000 levels', `{"id":${'['.repeat(150_000)}${']'.repeat(150_000)}}`, 'may not be nested deeper than 100 levels'],
  ['no field but the one that all objects have', '{"__proto__":{"id":1}}', 'id: '],
])('a typed answer with %s is told to the model, and none is guessed (R189, R192)', (_, text, problem) => {
  expect(typedAnswer(z.object({ id: z.number() }), text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('half a character in a typed answer is replaced, and a schema that throws is told (R191, R192)', () => {
  expect(typedAnswer(Place, '{"city":"Rome\\ud83d"}')).toEqual({ result: { city: 'Rome\ufffd' } });
  const throwing = z.object({ city: z.string() }).refine(() => {
    throw new Error('connect postgres://u:pw@db');
  });
  expect(typedAnswer(throwing, json)).toEqual({ problem: 'it cannot be checked: The attempt failed: Error.' });
});

test('a long reply of signs that begin blocks is read in a moment (R196)', () => {
  for (const sign of ['`', '``` ', '```a ', '{', '```\n{', ' '])
    expect(typedAnswer(Place, `\`\`\`${sign.repeat(200_000)}`)).toEqual({ problem: 'it is not JSON' });
});
