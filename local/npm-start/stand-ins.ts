/** Local servers that replace services without keys, and the variables with their addresses. */
export interface StandIns {
  variables: Record<string, string>;
  stop(): Promise<void>;
}

const noKey = 'stand-in';
/** The stand-in uses its own name, so that the price of an agent's model is not shown. It costs nothing. */
const modelNamed = { VIGIL_MODEL: noKey, VIGIL_PRICES: JSON.stringify({ [noKey]: [0, 0] }) };

/**
 * Starts the stand-in model without OPENAI_API_KEY and the stand-in search without SERPER_API_KEY. With the stand-in
 * search and no BROWSERLESS_TOKEN, pages come from the stand-in, too. With a real search and no token, pages are
 * fetched directly, which needs no key.
 */
export async function openStandIns(env: NodeJS.ProcessEnv): Promise<StandIns> {
  const [model, search] = await Promise.all([
    env.OPENAI_API_KEY ? undefined : import('../stand-in-model').then(({ startStandInModel }) => startStandInModel()),
    env.SERPER_API_KEY
      ? undefined
      : import('../stand-in-search').then(({ startStandInSearch }) => startStandInSearch()),
  ]);
  const pages = env.BROWSERLESS_TOKEN ? undefined : search;
  return {
    variables: {
      ...(model && { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: noKey, ...modelNamed }),
      ...(search && { SERPER_BASE_URL: search.url, SERPER_API_KEY: noKey }),
      ...(pages && { BROWSERLESS_BASE_URL: pages.url, BROWSERLESS_TOKEN: noKey }),
    },
    async stop() {
      await Promise.all([model?.stop(), search?.stop()]);
    },
  };
}

/** Returns the label of the web search and the page reader, for the terminal and the page. */
export function searchLabel(env: NodeJS.ProcessEnv): string {
  if (!env.SERPER_API_KEY) return 'stand-in search: no SERPER_API_KEY';
  const host = env.SERPER_BASE_URL ? new URL(env.SERPER_BASE_URL).host : 'Serper';
  return `${host}; pages ${env.BROWSERLESS_TOKEN ? 'by Browserless' : 'fetched directly: no BROWSERLESS_TOKEN'}`;
}
