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
