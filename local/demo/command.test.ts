import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { startModelServer } from '../../test/support/servers/model-server';

const root = resolve(__dirname, '../..');

/** Runs `npm run -s demo -- …`, without npm. */
async function demo(args: string[], env: Record<string, string> = {}) {
  // Jest's own variables would trigger a synthesis.
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, VIGIL_TEST_COSTS: _costs, ...rest } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'local/demo.ts', ...args], {
    cwd: root,
    env: { ...rest, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (part) => {
    stdout += part;
  });
  const status = await new Promise((done) => child.once('close', done));
  return { stdout, status };
}

test('the demo tells the story in order', async () => {
  const { stdout, status } = await demo([]);
  const order = [
    'you ',
    'CallModel',
    'current_time',
    'Sleep',
    'asleep',
    'clock ',
    'schedule →',
    '⏰ Time to check out https://example.org/news',
    'Done',
    'executions   1',
    'transitions  12',
    'model calls  4',
    'tool calls   3',
    'messages     6',
  ];
  const places = order.map((word, index) => stdout.indexOf(word, index === 0 ? 0 : stdout.indexOf(order[index - 1]!)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(status).toBe(0);
});

// Of a run that is done, `.ci/run` reads it.
test('with --json it prints one object and nothing else, and a failed run has exit status 1', async () => {
  const model = await startModelServer({ script: [{ status: 401 }] });
  const { stdout, status } = await demo(['--json'], { OPENAI_API_KEY: 'wrong', OPENAI_BASE_URL: model.url });
  await model.stop();
  expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', modelCalls: 0 });
  expect(status).toBe(1);
});
