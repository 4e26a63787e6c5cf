import { problemOf } from './problem';

const root = '/home/ada/vigil';
const failed = (name: string, message: string, ...frames: string[]) =>
  Object.assign(new Error(message), { name, stack: [`${name}: ${message}`, ...frames].join('\n') });

test.each([
  [
    'what esbuild found, with its place',
    Object.assign(new Error('Build failed'), {
      errors: [
        { text: 'Could not resolve "x"', location: { file: 'tools/a.ts', line: 3, column: 7 } },
        { text: 'Another', location: null },
      ],
    }),
    'tools/a.ts:3:7: Could not resolve "x"',
  ],
  [
    'what the TypeScript loader found',
    failed('TransformError', `Transform failed with 1 error:\n${root}/agents/a.ts:12:10: ERROR: Unexpected ";"`),
    'agents/a.ts:12:10: Unexpected ";"',
  ],
  [
    'a definition that is refused, in its own words',
    failed(
      'ConfigurationError',
      'agent a: limits.steps must be 1 or more',
      `    at f (${root}/core/conversations/agent/agent.ts:9:1)`,
    ),
    'agent a: limits.steps must be 1 or more',
  ],
  [
    'a file that throws when it is loaded, by the first place in an agent or a tool',
    failed(
      'TypeError',
      'x is not a function',
      `    at defineTool (${root}/core/conversations/agent/tool.ts:80:9)`,
      `    at Object.<anonymous> (${root}/node_modules/zod/index.js:1:1)`,
      `    at Object.<anonymous> (${root}/tools/a.ts:5:3)`,
      `    at ${root}/agents/b.ts:1:1`,
    ),
    'tools/a.ts:5:3: TypeError: x is not a function',
  ],
  [
    'another file of the project',
    failed('Error', 'no', `    at file://${root}/infra/settings.ts:5:3`),
    'infra/settings.ts:5:3: Error: no',
  ],
  ['an error from nowhere', failed('Error', 'no memory\nat all'), 'Error: no memory'],
  ['what is no error', 'a word', 'Error: a word'],
])('the line of a failed build names %s', (_what, error, line) => {
  expect(problemOf(error, root)).toBe(line);
});
