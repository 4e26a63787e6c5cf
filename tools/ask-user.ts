import * as z from 'zod';
import { defineTool } from '../core/conversations/agent/tool';

const days = 86_400;

export const askUser = defineTool({
  kind: 'callback',
  name: 'ask_user',
  title: 'Ask',
  description:
    'Asks the user a question and waits for the answer, however long it takes. Use it only for what you cannot find out or ' +
    'sensibly assume yourself. It asks one thing; to ask several, write them into one question.',
  input: z.object({ question: z.string().min(1).max(4_000).describe('What you want to know, as the user reads it') }),
  prompt: ({ question }) => question,
  expiresInSeconds: 30 * days,
  fallback: 'The user did not answer in time. Continue with a sensible assumption, or stop and say what is missing.',
});
