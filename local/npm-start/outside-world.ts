/**
 * Selects the variables for outside services: Vigil's settings, and the keys and addresses that tools and providers
 * need, by the usual endings of their names. They reach the functions that declare them in the template, and the
 * secrets with their names. What the template's tools declare reaches them under any name (`template/left-open.ts`).
 * Other variables reach no function.
 */
const names =
  /^VIGIL_|_(?:API_KEY|TOKEN|CLIENT_SECRET|BASE_URL|TOPIC_ARN)$|^AWS_BEARER_TOKEN_BEDROCK$|^OTEL_EXPORTER_OTLP_(?:ENDPOINT|HEADERS)$/;

export function outsideWorld(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.entries(env).filter(([name, value]) => names.test(name) && value);
  return Object.fromEntries(given) as Record<string, string>;
}
