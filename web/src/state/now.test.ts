import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { nowIn } from './now';

test('the page’s time is the server’s, on a laptop that of the moved clock (R153)', () => {
  jest.useFakeTimers({ now: 1_000_000 });
  expect(nowIn({ aheadMs: -600_000, offset: 50 })).toBe(400_050);
  jest.useRealTimers();
});

test('nothing else on the page asks the browser for the time (R153)', () => {
  // Both measure how long something takes.
  const may = ['web/src/state/now.ts', 'web/src/hooks/ticker.ts', 'web/src/network/oauth-session.ts'];
  const asks = /\bDate\.now\b|new Date\(\s*\)|new Date\b(?!\()|(?<!new )\bDate\(\)|Temporal\.Now/;
  const files = execFileSync('git', ['ls-files', 'web/src/*.ts', 'web/src/*.tsx'], { encoding: 'utf8' }).split('\n');
  const found = files.filter(
    (file) => file && !file.endsWith('.test.ts') && !may.includes(file) && asks.test(readFileSync(file, 'utf8')),
  );
  expect(found).toEqual([]);
});
