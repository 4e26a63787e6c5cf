/**
 * `node test/costs/busy.js`: all tests beside four processes that spin, to see that none fails by the clock. `--times 3` repeats it,
 * `--delay 80` delays each HTTP request by up to so many milliseconds, so that what happens at once happens in another order. What else
 * is given goes to jest.
 */
const { spawn, fork } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');

const spinners = 4;

async function main() {
  const args = process.argv.slice(2);
  const times = numberOf(args, '--times') ?? 1;
  const delay = numberOf(args, '--delay');
  const options = `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(join(__dirname, 'delays.js'))}`;
  const env = delay ? { VIGIL_TEST_DELAY: String(delay), NODE_OPTIONS: options } : {};
  const children = Array.from({ length: spinners }, () => fork(__filename, ['spin']));
  try {
    for (let turn = 1; turn <= times; turn++) {
      const jest = spawn(process.execPath, [join(__dirname, '../../node_modules/.bin/jest'), ...args], {
        stdio: 'inherit',
        env: { ...process.env, ...env },
      });
      const [code] = await once(jest, 'exit');
      console.log(
        `Beside ${spinners} processes that spin, run ${turn} of ${times}: ${code === 0 ? 'passed' : 'FAILED'}`,
      );
      if (code !== 0) process.exitCode = 1;
    }
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

/** Takes an option with its number from the arguments. */
function numberOf(args, name) {
  const at = args.indexOf(name);
  if (at < 0) return undefined;
  const [, text] = args.splice(at, 2);
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  console.error(`${name} ${text}: give a whole number from 1.`);
  process.exit(2);
}

/** Spins until its parent is gone. */
function spin() {
  const slice = performance.now() + 200;
  while (performance.now() < slice);
  if (process.connected) setImmediate(spin);
}

if (process.argv[2] === 'spin') spin();
else main();
