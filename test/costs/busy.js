/**
 * `npm run test:busy`: all tests beside four processes that spin, to see that none fails by the clock. `-- --times 3` repeats it, what
 * else is given goes to jest.
 */
const { spawn, fork } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');

const spinners = 4;

async function main() {
  const args = process.argv.slice(2);
  const at = args.indexOf('--times');
  const [, times = '1'] = at < 0 ? [] : args.splice(at, 2);
  const children = Array.from({ length: spinners }, () => fork(__filename, ['spin']));
  try {
    for (let turn = 1; turn <= Number(times); turn++) {
      const jest = spawn(process.execPath, [join(__dirname, '../../node_modules/.bin/jest'), ...args], {
        stdio: 'inherit',
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

/** Spins until its parent is gone. */
function spin() {
  const slice = performance.now() + 200;
  while (performance.now() < slice);
  if (process.connected) setImmediate(spin);
}

if (process.argv[2] === 'spin') spin();
else main();
