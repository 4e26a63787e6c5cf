import * as z from 'zod';
import { AgentCard } from '../../../core/base/state/schemas';
import { NotFound } from '../../../core/base/text/errors';
import { AgentDetails, cardOf, detailsOf } from '../../../core/people/views/agent-details';
import { optionalVariable } from '../../../runtime/environment';
import type { App, Deployment } from '../deployment';
import { isDeveloper } from '../developers';
import { route } from '../route';
import { json, problem } from '../shapes';

const AgentList = z
  .object({
    agents: z.array(AgentCard),
    modules: z
      .array(z.string())
      .openapi({ description: 'The features of this API that an app may leave out, by name' }),
  })
  .openapi('AgentList');

const list = route('listAgents', 'Agents', {
  method: 'get',
  path: '/agents',
  summary: 'The agents of this deployment, and its modules',
  responses: { 200: json('All agents', AgentList) },
});

const read = route('getAgent', 'Agents', {
  method: 'get',
  path: '/agents/{name}',
  summary: 'An agent: its models, limits and tools; for members of VIGIL_DEVELOPERS_GROUP, its instructions',
  request: { params: z.object({ name: z.string().min(1).max(50).openapi({ description: 'The name of the agent' }) }) },
  responses: {
    200: json('The agent', AgentDetails),
    404: problem('There is no such agent'),
  },
});

export function agentRoutes(app: App, { registry, limits, developers, modules }: Deployment): void {
  app.openapi(list, (context) => {
    const agents = [...registry.agents.values()].map((agent) => cardOf(agent, context.get('caller')));
    return context.json({ agents, modules: modules.map(({ name }) => name) }, 200);
  });

  app.openapi(read, (context) => {
    const { name } = context.req.valid('param');
    const agent = registry.agents.get(name);
    if (!agent) throw new NotFound(`There is no agent "${name}".`);
    const overrides = { model: optionalVariable('VIGIL_MODEL'), limits: limits() };
    const caller = context.get('caller');
    return context.json(detailsOf(agent, overrides, caller, isDeveloper(developers, caller)), 200);
  });
}
