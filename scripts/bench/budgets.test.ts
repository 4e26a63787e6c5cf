import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTable } from '../../test/support/tables/table';
import { budgets, bundleBudget, passedBudgets } from './budgets';
import { countedPackages, countedStacks } from './counted-files';
import { countedWork } from './counted-work';

// What takes longer is counted by `npm run bench -- --only budgets`, in `.ci/run`.

test('a message and a step with a tool stay within their requests to the table', async () => {
  const table = await startTable();
  const counted = await countedWork(table).finally(() => table.stop());
  expect(passedBudgets(counted)).toEqual([]);
  // Nothing is counted as nothing.
  for (const figure of Object.values(counted)) expect(figure).toBeGreaterThan(1);
});

test('the shipped and the smallest stack stay within their resources and functions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-budgets-'));
  try {
    expect(passedBudgets(countedStacks(folder))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an installation stays within its number of packages', () => {
  expect(passedBudgets(countedPackages())).toEqual([]);
});

test('a budget that is passed says its name, figure and limit, and what to do', () => {
  const { limit } = budgets['bundle.Api'];
  expect(passedBudgets({ 'bundle.Api': limit })).toEqual([]);
  expect(passedBudgets({ 'bundle.Api': limit + 1, 'bundle.Mcp': 1 })).toEqual([
    `bundle.Api (the bundle of Api) is ${limit + 1} KB, and its limit is ${limit} KB. Bring it down; or raise the limit in scripts/bench/budgets.ts, in a separate commit that says what was bought.`,
  ]);
  expect(['Api', 'Relay'].map(bundleBudget)).toEqual(['bundle.Api', 'bundle.others']);
});
