import * as z from 'zod';
import type { Agent } from './agent';
import { type DelegateTool, defineTool, type HandOffTool } from './tool';

const days = 86_400;

/** The tool by which an agent hands the conversation over to another one. */
export const handOffTool = ({ name, purpose }: Agent): HandOffTool =>
  defineTool({
    kind: 'hand-off',
    name: handOffName(name),
    description:
      `Hands the conversation over to the agent "${name}": ${purpose} It reads all that was said, answers the user, and keeps the ` +
      'conversation until it hands it on. Call it without a word to the user, and no other tool beside it.',
    input: z.object({ reason: z.string().max(1_000).describe('What the user wants there, in one sentence') }),
    to: name,
  });

export const handOffName = (agent: string): string => `hand_off_to_${agent.replaceAll('-', '_')}`;

/** The tool by which an agent gives a task to another one and waits for the result. */
export const delegateTool = (to: Agent[]): DelegateTool =>
  defineTool({
    kind: 'delegate',
    name: 'delegate',
    description:
      'Gives a task to another agent, which does it in a conversation of its own, and waits for its answer. It knows nothing of this ' +
      'conversation but the task: say all that it needs. Several tasks in one reply are done at the same time. The agents are:\n' +
      to.map(({ name, purpose }) => `- ${name}: ${purpose}`).join('\n'),
    input: z.object({
      agent: z.enum(to.map(({ name }) => name) as [string, ...string[]]).describe('The name of the agent'),
      task: z.string().min(1).max(20_000).describe('What it is to do, and what its answer should be'),
    }),
    expiresInSeconds: 30 * days,
    fallback: 'It did not answer within 30 days, and is not waited for any longer.',
  });

/**
 * An agent that was handed a conversation can hand it back to the one that it began with, though its spec does not know who that is:
 * so any agent can serve behind a router.
 */
export function withWayBack(agent: Agent, entry: Agent | undefined): Agent {
  if (!entry || entry.name === agent.name) return agent;
  const known = agent.tools.some(({ name }) => name === handOffName(entry.name));
  return known ? agent : { ...agent, tools: [...agent.tools, handOffTool(entry)] };
}
