/** Servers of our own in the place of those that there are no keys for, and the variables that lead to them. */
export interface StandIns {
  variables: Record<string, string>;
  stop(): Promise<void>;
}

const noKey = 'stand-in';
/** The model that answers is named as it is, and costs nothing: no agent's own model, whose price would be shown. */
const modelNamed = { VIGIL_MODEL: noKey, VIGIL_PRICES: JSON.stringify({ [noKey]: [0, 0] }) };

/**
 * The model without OPENAI_API_KEY, the web search without SERPER_API_KEY. Pages are the search's own then, unless there is a
 * BROWSERLESS_TOKEN; with a real search and no token they are fetched directly, which needs no key.
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

/** Who searches the web and opens its pages, for the screen and the page. */
export function searchLabel(env: NodeJS.ProcessEnv): string {
  if (!env.SERPER_API_KEY) return 'stand-in search: no SERPER_API_KEY';
  const host = env.SERPER_BASE_URL ? new URL(env.SERPER_BASE_URL).host : 'Serper';
  return `${host}; pages ${env.BROWSERLESS_TOKEN ? 'by Browserless' : 'fetched directly: no BROWSERLESS_TOKEN'}`;
}
