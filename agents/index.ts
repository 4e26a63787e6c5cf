import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../core/agent/agent';
import { registry } from '../core/agent/registry';

/**
 * The agents of this deployment: what the files of this folder export whose names end in `-agent.ts`. In the bundles the
 * same list is written out, since nothing of this folder is there to be looked through.
 */
export const agents: Agent[] = readdirSync(__dirname)
  .filter((file) => file.endsWith('-agent.ts'))
  .sort()
  .flatMap((file): Agent[] => Object.values(require(join(__dirname, file))));

export const shipped = registry(agents);
