import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shipped } from '../../../agents';
import { functionTools, type Registry } from '../../../core/conversations/agent/registry';
import { functionName } from '../../../core/conversations/agent/tool';
import type { Built } from '../../../infra/bundling/build';
import { entries } from '../../../infra/bundling/entries';
import { functionId } from '../../../statemachines/function-id';

/** Agents, by default the shipped ones, with empty bundles, for tests that read a template and run nothing. */
export function emptyBundles(bundles: string, agents: Registry = shipped): Built {
  const ofTools = functionTools(agents).map((tool) => functionId(functionName(tool)));
  for (const id of new Set([...entries(shipped).map((entry) => entry.id), ...ofTools])) {
    mkdirSync(join(bundles, id), { recursive: true });
    writeFileSync(join(bundles, id, 'index.js'), '');
  }
  return { agents, bundles };
}
