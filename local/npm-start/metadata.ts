import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Metadata, metadataOf } from '../template/template';

/** Reads the metadata of an assembly's template. */
export function metadataIn(assembly: string): Metadata {
  const file = readdirSync(assembly).find((name) => name.endsWith('.template.json'));
  return metadataOf(file ? JSON.parse(readFileSync(join(assembly, file), 'utf8')) : {});
}

/** Returns a first message to suggest: the first example of an agent, or else a greeting. */
export function suggestion({ Agents }: Pick<Metadata, 'Agents'>): { agent: string; text: string } {
  const { name = 'my-agent', example = 'Hello' } = Agents.find(({ example }) => example) ?? Agents[0] ?? {};
  return { agent: name, text: example };
}
