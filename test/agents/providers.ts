import { defineProvider } from '../../core/base/models/provider';

// Providers of the scenarios. A story sets OTHER_SERVER_BASE_URL and NEAR_SERVER_BASE_URL; the default addresses do not
// exist.
export const otherServer = defineProvider({
  name: 'other-server',
  kind: 'chat',
  baseUrl: 'http://127.0.0.1:9/v1',
  key: 'OTHER_API_KEY',
  headers: { 'x-team': 'vigil' },
  query: { tier: 'test' },
});

export const nearServer = defineProvider({ name: 'near-server', kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1' });

/** Makes its replies in the background. A story sets THINKER_BASE_URL. */
export const thinker = defineProvider({
  name: 'thinker',
  kind: 'openai',
  baseUrl: 'http://127.0.0.1:9/v1',
  webhookSecret: 'THINKER_WEBHOOK_SECRET',
});

/** A story sets ANTHROPIC_BASE_URL. */
export const anthropic = defineProvider({
  name: 'anthropic',
  kind: 'anthropic',
  baseUrl: 'http://127.0.0.1:9',
  key: 'ANTHROPIC_API_KEY',
});

/** Uses the function's role. A story sets BEDROCK_BASE_URL. */
export const bedrock = defineProvider({ name: 'bedrock', kind: 'bedrock' });
