/**
 * Variables that say where the world outside is, and hold the keys to it: settings of Vigil, and what tools and providers need
 * by the names that such things have. They reach the functions that declare them in the template, and the secrets of their
 * names; what else is in the environment reaches nobody.
 */
const names = /^VIGIL_|_(?:API_KEY|TOKEN|CLIENT_SECRET|BASE_URL|TOPIC_ARN)$|^AWS_BEARER_TOKEN_BEDROCK$/;

export function outsideWorld(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.entries(env).filter(([name, value]) => names.test(name) && value);
  return Object.fromEntries(given) as Record<string, string>;
}
