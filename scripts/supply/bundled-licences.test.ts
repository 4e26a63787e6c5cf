import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../../infra/bundling/entries';

test('what is bundled has licences that are allowed, and docs/licences.md names them (R100)', async () => {
  // Vite is an ES module, which Jest does not load.
  const { stdout } = await promisify(execFile)('npx', ['tsx', 'scripts/supply/main.ts', 'licences', '--check'], {
    cwd: root,
  });
  expect(stdout).toBe('');
});
