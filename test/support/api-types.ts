import type * as z from 'zod';
import type { ConversationPage as ConversationPageSchema } from '../../lambdas/api/conversations';
import type { Problem as ProblemSchema } from '../../lambdas/api/shapes';

export type { Callback, Conversation, Message } from '../../core/state/schemas';
export type ConversationPage = z.infer<typeof ConversationPageSchema>;
export type Problem = z.infer<typeof ProblemSchema>;
