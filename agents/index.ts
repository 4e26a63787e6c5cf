import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../core/conversations/agent/agent';
import { registry } from '../core/conversations/agent/registry';

/**
 * The agents of this deployment: the exports of all files in this folder whose names end in `-agent.ts`. The bundler replaces this
 * with a written-out list, because bundles do not contain the folder.
 */
export const agents: Agent[] = readdirSync(__dirname)
  .filter((file) => file.endsWith('-agent.ts'))
  .sort()
  .flatMap((file): Agent[] => Object.values(require(join(__dirname, file))));

export const shipped = registry(agents);
