/**
 * The variables that say where the world outside is. They are taken from the environment of the process that starts the local
 * cloud, and reach the functions that declare them in the template, and the secrets of their names.
 */
const NAMES = [
  'BROWSERLESS_BASE_URL',
  'BROWSERLESS_TOKEN',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'REMINDER_TOPIC_ARN',
  'SERPER_API_KEY',
  'SERPER_BASE_URL',
  'VIGIL_MAX_RUN_MICRODOLLARS',
  'VIGIL_MAX_RUN_TOKENS',
  'VIGIL_MAX_STEPS',
  'VIGIL_MAX_USER_MICRODOLLARS',
  'VIGIL_MAX_USER_STEPS',
  'VIGIL_MAX_USER_TOKENS',
  'VIGIL_MODEL',
  'VIGIL_PRICES',
];

export function outsideWorld(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = NAMES.map((name) => [name, env[name]] as const);
  return Object.fromEntries(given.filter((entry): entry is [string, string] => Boolean(entry[1])));
}
