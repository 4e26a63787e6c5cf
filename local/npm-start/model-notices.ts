import { readFileSync } from 'node:fs';
import type { Template } from '../template/template';

/** A model that agents of the deployment's own provider ask: see `describeModels` of the stack. */
export interface AskedModel {
  name: string;
  agents: string[];
  ends?: { on: string; instead: string };
}

const warnDays = 60;
const answerMs = 5_000;

/** From the template's metadata. */
export const modelsIn = (templateFile: string): AskedModel[] =>
  (JSON.parse(readFileSync(templateFile, 'utf8')) as Template & { Metadata?: { Models?: AskedModel[] } }).Metadata
    ?.Models ?? [];

/** A line for each model that its maker shuts down within 60 days, or has shut down. */
export function endings(models: AskedModel[], now: Date): string[] {
  return models.flatMap(({ name, agents, ends }) => {
    if (!ends || Date.parse(ends.on) - now.getTime() > warnDays * 86_400_000) return [];
    const when = Date.parse(ends.on) > now.getTime() ? 'is shut down on' : 'was shut down on';
    return [`The model ${name} (${agents.join(', ')}) ${when} ${ends.on}. Its maker names ${ends.instead} instead.`];
  });
}

/**
 * A line for each model that is not in the provider's list. The list is asked for once; a server that has none, or does not
 * answer, tells nothing.
 */
export async function unlisted(
  models: AskedModel[],
  { key, baseUrl }: { key: string; baseUrl?: string },
): Promise<string[]> {
  const address = `${(baseUrl || 'https://api.openai.com/v1').replace(/\/$/, '')}/models`;
  const headers = { authorization: `Bearer ${key}` };
  const listed = await fetch(address, { headers, signal: AbortSignal.timeout(answerMs) })
    .then(async (answer) => (answer.ok ? ((await answer.json()) as { data?: { id: string }[] }).data : undefined))
    .catch(() => undefined);
  if (!Array.isArray(listed) || listed.length === 0) return [];
  const ids = new Set(listed.map(({ id }) => id));
  return models
    .filter(({ name }) => !ids.has(name))
    .map(({ name, agents }) => `The provider's list has no model ${name}, which is asked by ${agents.join(', ')}.`);
}
