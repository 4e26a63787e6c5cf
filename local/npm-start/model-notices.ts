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

type Provider = NonNullable<AskedModel['provider']>;

/** The deployment's own provider. */
const own: Provider = {
  name: 'openai',
  kind: 'openai',
  key: 'OPENAI_API_KEY',
  baseUrlVariable: 'OPENAI_BASE_URL',
};
const addresses = {
  openai: 'https://api.openai.com/v1',
  chat: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

/**
 * Returns a line for each model that its provider does not list. Each list is requested once, from providers whose key is in `env`.
 * Without a response, nothing is reported.
 */
export async function unlisted(models: readonly AskedModel[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const names = new Set(models.map(({ provider }) => provider?.name));
  const lines = [...names].map((name) => {
    const asked = models.filter(({ provider }) => provider?.name === name);
    return missing(asked, asked[0]!.provider ?? own, env);
  });
  return (await Promise.all(lines)).flat();
}

async function missing(models: AskedModel[], provider: Provider, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { name, kind, key, baseUrlVariable } = provider;
  if (!env[key]) return [];
  const baseUrl = (env[baseUrlVariable] || provider.baseUrl || addresses[kind]).replace(/\/$/, '');
  const address = kind === 'anthropic' ? `${baseUrl}/v1/models?limit=1000` : `${baseUrl}/models`;
  const headers = {
    authorization: `Bearer ${env[key]}`,
    ...(kind === 'anthropic' && { 'anthropic-version': '2026-10-21' }),
  };
  const listed = await fetch(address, { headers, signal: AbortSignal.timeout(answerMs) })
    .then(async (answer) => (answer.ok ? ((await answer.json()) as { data?: { id: string }[] }).data : undefined))
    .catch(() => undefined);
  if (!Array.isArray(listed) || listed.length === 0) return [];
  // A name without a date is an alias.
  const ids = new Set(listed.flatMap(({ id }) => [id, id.replace(/-\d{8}$/, '')]));
  const whose = provider === own ? 'The provider' : `The provider ${name}`;
  return models
    .filter((model) => !ids.has(model.name))
    .map((model) => `${whose} does not list the model ${model.name}, which is used by ${model.agents.join(', ')}.`);
}
