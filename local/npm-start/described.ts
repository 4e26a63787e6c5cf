import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskedModel } from './model-notices';

/** What the stack says of itself in its template's metadata: see `describeModels` and `describeAgents` of infra. */
export interface Described {
  models: AskedModel[];
  agents: { name: string; example?: string }[];
}

/** Reads the metadata of an assembly's template. */
export function described(assembly: string): Described {
  const file = readdirSync(assembly).find((name) => name.endsWith('.template.json'));
  const { Metadata: { Models = [], Agents = [] } = {} } = (
    file ? JSON.parse(readFileSync(join(assembly, file), 'utf8')) : {}
  ) as { Metadata?: { Models?: AskedModel[]; Agents?: Described['agents'] } };
  return { models: Models, agents: Agents };
}

/** Returns a first message to suggest: the first example of an agent, or else a greeting. */
export function suggestion({ agents }: Pick<Described, 'agents'>): { agent: string; text: string } {
  const { name = 'my-agent', example = 'Hello' } = agents.find(({ example }) => example) ?? agents[0] ?? {};
  return { agent: name, text: example };
}
