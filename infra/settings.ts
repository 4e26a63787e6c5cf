import { ConfigurationError } from '../core/text/errors';

/** The settings of a deployment. An unset value is '': the variable is declared, and its reader treats it as unset. */
export interface Settings {
  /** The address of a server of chat completions; '' is OpenAI's own. */
  openaiBaseUrl: string;
  /** Overrides every agent's model. */
  model: string;
  /** Limits in addition to the agents' own, and prices, by the variables that CallModel reads. */
  budget: Record<(typeof budgetVariables)[number], string>;
  /** Returns a variable that a tool's definition declares, or '' if it is not set. */
  given(name: string): string;
  /** Origins of pages that may call the API from a browser. */
  webOrigins: string[];
  /** Whether the stack hosts the page. */
  page: 'cloudfront' | 'none';
}

/**
 * VIGIL_MAX_STEPS overrides every agent's step limit. The others apply to each run, or to all runs of a user in a
 * month. VIGIL_PRICES is JSON: {"model": [dollars per million input tokens, output tokens]}.
 */
const budgetVariables = [
  'VIGIL_MAX_STEPS',
  'VIGIL_MAX_RUN_TOKENS',
  'VIGIL_MAX_RUN_MICRODOLLARS',
  'VIGIL_MAX_USER_STEPS',
  'VIGIL_MAX_USER_TOKENS',
  'VIGIL_MAX_USER_MICRODOLLARS',
  'VIGIL_PRICES',
] as const;

export const settingsFrom = (env: NodeJS.ProcessEnv): Settings => ({
  openaiBaseUrl: env.OPENAI_BASE_URL ?? '',
  model: env.VIGIL_MODEL ?? '',
  budget: Object.fromEntries(budgetVariables.map((name) => [name, env[name] ?? ''])) as Settings['budget'],
  given: (name) => env[name] ?? '',
  webOrigins: originsFrom(env.VIGIL_WEB_ORIGINS) ?? ['http://127.0.0.1:3000', 'http://localhost:3000'],
  page: pageFrom(env.VIGIL_PAGE),
});

function pageFrom(where = 'none'): Settings['page'] {
  if (where === 'cloudfront' || where === 'none') return where;
  throw new ConfigurationError(`VIGIL_PAGE is "${where}": it must be "cloudfront" or "none".`);
}

/**
 * Parses a list separated by commas. A browser compares origins exactly, so an origin with a path or a trailing slash
 * would never match.
 */
function originsFrom(list = ''): string[] | undefined {
  const origins = list
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong)
    throw new ConfigurationError(
      `VIGIL_WEB_ORIGINS: ${wrong} is not an origin: write it like https://vigil.example.com`,
    );
  return origins.length > 0 ? origins : undefined;
}

/** The variables for CallModel. */
export const modelVariables = ({ openaiBaseUrl, model, budget, given }: Settings): Record<string, string> => ({
  OPENAI_BASE_URL: openaiBaseUrl,
  VIGIL_MODEL: model,
  VIGIL_MODEL_API: given('VIGIL_MODEL_API'),
  ...budget,
});
