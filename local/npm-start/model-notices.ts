import type { AskedModel } from '../template/template';

const warnDays = 60;
const answerMs = 5_000;

/** Returns a line for each model that is shut down within 60 days, or has been. */
export function endings(models: readonly AskedModel[], now: Date): string[] {
  return models.flatMap(({ name, agents, ends }) => {
    if (!ends || Date.parse(ends.on) - now.getTime() > warnDays * 86_400_000) return [];
    const when = Date.parse(ends.on) > now.getTime() ? 'is shut down on' : 'was shut down on';
    return [
      `The model ${name} (${agents.join(', ')}) ${when} ${ends.on}. Its provider recommends ${ends.instead} instead.`,
    ];
  });
}

/**
 * Returns a line for each model that the provider does not list. The list is requested once. Without a response,
 * nothing is reported.
 */
export async function unlisted(
  models: readonly AskedModel[],
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
    .map(({ name, agents }) => `The provider does not list the model ${name}, which is used by ${agents.join(', ')}.`);
}
