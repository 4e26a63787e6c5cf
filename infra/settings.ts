/** What a deployment may choose. An unset value is '': the variable is declared all the same, and its reader treats it as unset. */
export interface Settings {
  /** Of a server that speaks chat completions; '' is OpenAI's own. */
  openaiBaseUrl: string;
  /** Overrides every agent's model. */
  model: string;
  /** Overrides every agent's step limit. */
  maxSteps: string;
  /** An SNS topic (FIFO or standard) that hears every reminder as well. */
  reminderTopicArn: string;
  /** Origins of pages that may call the API from a browser. */
  webOrigins: string[];
  logLevel: string;
}

export const settingsFrom = (env: NodeJS.ProcessEnv): Settings => ({
  openaiBaseUrl: env.OPENAI_BASE_URL ?? '',
  model: env.VIGIL_MODEL ?? '',
  maxSteps: env.VIGIL_MAX_STEPS ?? '',
  reminderTopicArn: env.REMINDER_TOPIC_ARN ?? '',
  webOrigins: ['http://127.0.0.1:3000', 'http://localhost:3000'],
  logLevel: env.LOG_LEVEL ?? 'INFO',
});

/** What CallModel reads of them. */
export const modelVariables = ({ openaiBaseUrl, model, maxSteps }: Settings): Record<string, string> => ({
  OPENAI_BASE_URL: openaiBaseUrl,
  VIGIL_MODEL: model,
  VIGIL_MAX_STEPS: maxSteps,
});
