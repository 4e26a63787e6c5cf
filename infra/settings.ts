import { ConfigurationError } from '../core/errors';

/** What a deployment may choose. An unset value is '': the variable is declared all the same, and its reader treats it as unset. */
export interface Settings {
  /** Of a server that speaks chat completions; '' is OpenAI's own. */
  openaiBaseUrl: string;
  /** Overrides every agent's model. */
  model: string;
  /** Overrides every agent's step limit. */
  maxSteps: string;
  /** Of a server that speaks Serper's search API; '' is Serper's own. */
  serperBaseUrl: string;
  /** Of a server that speaks Browserless's API; '' is Browserless's own. */
  browserlessBaseUrl: string;
  /** An SNS topic (FIFO or standard) that hears every reminder as well. */
  reminderTopicArn: string;
  /** Origins of pages that may call the API from a browser. */
  webOrigins: string[];
}

export const settingsFrom = (env: NodeJS.ProcessEnv): Settings => ({
  openaiBaseUrl: env.OPENAI_BASE_URL ?? '',
  model: env.VIGIL_MODEL ?? '',
  maxSteps: env.VIGIL_MAX_STEPS ?? '',
  serperBaseUrl: env.SERPER_BASE_URL ?? '',
  browserlessBaseUrl: env.BROWSERLESS_BASE_URL ?? '',
  reminderTopicArn: env.REMINDER_TOPIC_ARN ?? '',
  webOrigins: originsFrom(env.VIGIL_WEB_ORIGINS) ?? ['http://127.0.0.1:3000', 'http://localhost:3000'],
});

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
export const modelVariables = ({ openaiBaseUrl, model, maxSteps }: Settings): Record<string, string> => ({
  OPENAI_BASE_URL: openaiBaseUrl,
  VIGIL_MODEL: model,
  VIGIL_MAX_STEPS: maxSteps,
});
