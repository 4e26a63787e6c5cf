export type { Callback, Conversation, Message } from '../../core/state/schemas';
export type { ConversationPage } from '../../lambdas/api/bodies';
