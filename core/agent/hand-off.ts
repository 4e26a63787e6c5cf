import * as z from 'zod';
import type { Agent } from './agent';
import { type DelegateTool, defineTool, type HandOffTool } from './tool';

const days = 86_400;

/** Creates the tool that hands the conversation over to an agent. */
export const handOffTool = ({ name, purpose }: Agent): HandOffTool =>
  defineTool({
    kind: 'hand-off',
    name: handOffName(name),
    description:
      `Hands the conversation over to the agent "${name}": ${purpose} That agent reads the whole conversation, answers the user, and ` +
      'keeps the conversation until it hands over again. Call this tool alone, without any text for the user.',
    input: z.object({ reason: z.string().max(1_000).describe('What the user wants from that agent, in one sentence') }),
    to: name,
  });

export const handOffName = (agent: string): string => `hand_off_to_${agent.replaceAll('-', '_')}`;

/** Creates the tool that gives a task to another agent and waits for the result. */
export const delegateTool = (to: Agent[]): DelegateTool =>
  defineTool({
    kind: 'delegate',
    name: 'delegate',
    description:
      'Gives a task to another agent, which works in a separate conversation, and waits for its answer. The agent knows nothing of ' +
      'this conversation except the task, so include all that it needs. Several tasks in one reply run in parallel. The agents are:\n' +
      to.map(({ name, purpose }) => `- ${name}: ${purpose}`).join('\n'),
    input: z.object({
      agent: z.enum(to.map(({ name }) => name) as [string, ...string[]]).describe('The name of the agent'),
      task: z.string().min(1).max(20_000).describe('What the agent should do, and what its answer should contain'),
    }),
    expiresInSeconds: 30 * days,
    fallback: 'The agent did not answer within 30 days, so the wait has ended.',
  });

/** Lets an agent hand the conversation back to its first agent, which the spec need not name. So any agent can work behind a router. */
export function withWayBack(agent: Agent, entry: Agent | undefined): Agent {
  if (!entry || entry.name === agent.name) return agent;
  const known = agent.tools.some(({ name }) => name === handOffName(entry.name));
  return known ? agent : { ...agent, tools: [...agent.tools, handOffTool(entry)] };
}
