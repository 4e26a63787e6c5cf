import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns what a process prints that ends with what it throws. */
function said(code: string): string {
  const script = `const { endInOneLine } = require(${JSON.stringify(join(__dirname, 'one-line.ts'))});
    const mistake = Object.assign(new Error('agent a: tools: is missing'), { name: 'ConfigurationError' });
    ${code}`;
  const args = ['--import', 'tsx', '--eval', script];
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: join(__dirname, '..'), encoding: 'utf8' });
  expect(status).toBe(1);
  return stderr;
}

test.each([
  ['thrown', 'throw mistake;'],
  ['rejected', 'Promise.reject(mistake);'],
])('a mistake in a definition that is %s ends a synthesis in one line (R165)', (_, code) => {
  expect(said(`endInOneLine(); ${code}`)).toBe('ConfigurationError: agent a: tools: is missing\n');
});

test('another error keeps its stack, and after the declaration every error does (R165)', () => {
  expect(said(`endInOneLine(); undefined.bug;`)).toMatch(/TypeError: .*\(reading 'bug'\)\n +at /);
  expect(said('endInOneLine()(); throw mistake;')).toMatch(/\n +at /);
});

test('a process that handles uncaught errors itself is left alone (R165)', () => {
  const own = `process.on('uncaughtException', () => { console.error('mine'); process.exitCode = 1; });`;
  expect(said(`${own} endInOneLine(); throw mistake;`)).toBe('mine\n');
});
