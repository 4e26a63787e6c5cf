import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Registry } from '../../core/conversations/agent/registry';
import { cardOf } from '../../core/people/views/agent-details';
import { GivenFiles } from './files';
import { Turn } from './turn';

const Conversation = z.string().regex(/^[\w-]{1,64}$/, 'this is no id of a conversation');

/** The input of an agent's tool. */
export const Message = z.strictObject({
  message: z.string().trim().min(1).max(100_000).describe('What to tell the agent, in the words of its user'),
  conversation: Conversation.optional().describe('The conversation to go on with. Without it, a new one begins'),
  question: z
    .string()
    .regex(/^[\w.-]{1,120}$/, 'this is no id of a question')
    .optional()
    .describe('The id of the question that the message answers. Only the user knows the answer'),
  files: GivenFiles.optional(),
  request_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A new UUID for each message. The same message with the same id is sent once, however often you call'),
});

export const Read = z.strictObject({
  conversation: Conversation,
  after: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Only messages after this seq. Default: from the latest message to the agent on'),
});

export const Cancel = z.strictObject({ conversation: Conversation });

/** Agents' names have no underscore, so no agent has one of these. */
export const readConversation = 'read_conversation';
export const cancelRun = 'cancel_run';

/** The agents that the deployment offers to people: those with examples of first messages. */
export const offered = ({ agents }: Registry) =>
  [...agents.values()].map((agent) => cardOf(agent)).filter(({ examples }) => examples.length);

const hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

export function toolsOf(registry: Registry): Tool[] {
  const agents = offered(registry).map(({ name, purpose, examples }) => ({
    name,
    description: [
      `An agent. ${purpose}`,
      `For example: ${examples.join(' | ')}`,
      'It may work for hours or days, and goes on when nobody waits. This call returns after 20 seconds at most; look again with read_conversation.',
    ].join('\n'),
    inputSchema: jsonSchema(Message),
    outputSchema,
    annotations: hints,
  }));
  return [
    ...agents,
    {
      name: readConversation,
      description:
        'Reads where a conversation with an agent stands and what was said. While the agent works, it waits for up to 20 seconds.',
      inputSchema: jsonSchema(Read),
      outputSchema,
      annotations: { ...hints, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      name: cancelRun,
      description: 'Cancels what the agent does in a conversation, and undoes what can be undone.',
      inputSchema: jsonSchema(Cancel),
      outputSchema,
      annotations: { ...hints, idempotentHint: true, openWorldHint: false },
    },
  ];
}

/** Clients' validators know the draft that has no address, and some take `{}` for a mistake. */
function jsonSchema(schema: z.ZodObject): Tool['inputSchema'] {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema: one }) {
      if (JSON.stringify(one.additionalProperties) === '{}') one.additionalProperties = true;
    },
  });
  return rest as Tool['inputSchema'];
}

const outputSchema = jsonSchema(Turn);
