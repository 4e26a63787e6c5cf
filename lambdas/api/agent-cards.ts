import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { AgentCard } from '../../core/state/schemas';
import type { App, Deployment } from './deployment';
import { json, named, signedIn } from './shapes';

const list = createRoute({
  method: 'get',
  path: '/agents',
  summary: 'The agents of this deployment',
  security: signedIn,
  responses: { 200: json('All agents', z.object({ agents: z.array(named('AgentCard', AgentCard)) })) },
});

export function agentRoutes(app: App, { registry }: Deployment): void {
  const agents = [...registry.agents.values()].map(({ name, purpose, examples = [], end }) => ({
    ...{ name, purpose, examples },
    endPhrase: end?.phrase,
  }));
  app.openapi(list, (context) => context.json({ agents }, 200));
}
