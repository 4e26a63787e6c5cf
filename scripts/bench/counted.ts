import { join } from 'node:path';
import { build } from '../../infra/bundling/build';
import { shippedSources } from '../../infra/bundling/entries';
import { builtPage } from '../../local/npm-start/page';
import { pageFolder } from '../../test/support/page/browser';
import { startTable } from '../../test/support/tables/table';
import { type Budget, type BudgetName, budgets, type Counted } from './budgets';
import { countedBundles, countedMegabytes, countedPackages, countedPage, countedStacks } from './counted-files';
import { countedWork } from './counted-work';
import { type Figure, inScratch, root } from './measure';

/** Counts all that has a budget, but for what only a story shows. */
export async function budgetsBench(): Promise<Figure[]> {
  const table = await startTable();
  const work = await countedWork(table).finally(() => table.stop());
  await builtPage(root);
  return inScratch(async (folder) => {
    const { bundles } = await build({ sources: shippedSources, outdir: folder });
    return figuresOf({
      ...work,
      ...countedBundles(bundles),
      ...countedStacks(join(folder, 'stacks')),
      ...countedPackages(),
      ...countedMegabytes(),
      ...countedPage(pageFolder),
    });
  });
}

const figuresOf = (counted: Counted): Figure[] =>
  (Object.keys(budgets) as BudgetName[]).flatMap((key): Figure[] => {
    const { what: name, limit: bar, unit }: Budget = budgets[key];
    const value = counted[key];
    return value === undefined ? [] : [{ key, name, value, unit, bar }];
  });
