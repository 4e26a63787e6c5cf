import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shipped } from '../../../agents';
import type { Built } from '../../../infra/bundling/build';
import { entries } from '../../../infra/bundling/entries';

/** The shipped agents with empty bundles, for tests that read a template and run nothing. */
export function emptyBundles(bundles: string): Built {
  for (const { id } of entries(shipped)) {
    mkdirSync(join(bundles, id), { recursive: true });
    writeFileSync(join(bundles, id, 'index.js'), '');
  }
  return { agents: shipped, bundles };
}
