import { runCommand } from './command';

// What the command refuses before it reads anything.

const { VIGIL_URL, VIGIL_TOKEN } = process.env;
beforeEach(() => {
  delete process.env.VIGIL_URL;
  delete process.env.VIGIL_TOKEN;
});
afterAll(() => Object.assign(process.env, { ...(VIGIL_URL && { VIGIL_URL }), ...(VIGIL_TOKEN && { VIGIL_TOKEN }) }));

test.each([
  [[], 'Say what to pull: ids of conversations, --marked or --down.'],
  [['--marked', '--last', 'all'], '--last is "all": it must be a whole number of at least 1.'],
  [['c_1', '--url', 'somewhere'], 'The address "somewhere" is none: use one such as https://….'],
  [
    ['c_1', '--url', 'http://api.example.com'],
    'The address http://api.example.com would show your token to others: use https.',
  ],
  [['c_1', '--url', 'https://api.example.com'], 'Set VIGIL_TOKEN to your access token (docs/api.md).'],
  [['c_1', '--url', 'https://api.example.com', '--user', 'ada'], 'Set VIGIL_TOKEN to your access token (docs/api.md).'],
  [
    ['c_1', '--url', 'http://127.0.0.1:9'],
    'Nothing answers at http://127.0.0.1:9: start it with `vigil start`, or set VIGIL_URL.',
  ],
  [['--unmarked'], "Unknown option '--unmarked'. `vigil --help` lists the options."],
])('what cannot be pulled is one line, and exit code 2: %j (R235)', async (args, line) => {
  const failed = (await runCommand(['eval', 'pull', ...args], () => undefined).catch((error) => error)) as Error;
  expect([failed.message, failed]).toEqual([line, expect.objectContaining({ exitCode: 2 })]);
});
