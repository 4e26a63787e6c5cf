import { ConfigurationError } from '../core/text/errors';

/** What a deployment may choose. An unset value is '': the variable is declared all the same, and its reader treats it as unset. */
export interface Settings {
  /** Of a server that speaks chat completions; '' is OpenAI's own. */
  openaiBaseUrl: string;
  /** Overrides every agent's model. */
  model: string;
  /** Limits beside what the agents say, and prices: by the variables that CallModel reads. */
  budget: Record<(typeof budgetVariables)[number], string>;
  /** What a tool's definition says that it needs, by the variable's name; '' where it is not set. */
  given(name: string): string;
  /** Origins of pages that may call the API from a browser. */
  webOrigins: string[];
  /** Where the page is: the stack hosts it, or has nothing of it. */
  page: 'cloudfront' | 'none';
}

/**
 * VIGIL_MAX_STEPS overrides every agent's step limit; the others hold for each run, or for all runs of a user in a month.
 * VIGIL_PRICES is JSON: {"model": [dollars per million input tokens, output tokens]}.
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

/** Separated by commas. A browser compares origins letter by letter: with a path, or a slash at the end, none ever matches. */
function originsFrom(list = ''): string[] | undefined {
  const origins = list
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong) throw new ConfigurationError(`VIGIL_WEB_ORIGINS: ${wrong} is no origin like https://vigil.example.com`);
  return origins.length > 0 ? origins : undefined;
}

/** What CallModel reads of them. */
export const modelVariables = ({ openaiBaseUrl, model, budget, given }: Settings): Record<string, string> => ({
  OPENAI_BASE_URL: openaiBaseUrl,
  VIGIL_MODEL: model,
  VIGIL_MODEL_API: given('VIGIL_MODEL_API'),
  ...budget,
});
