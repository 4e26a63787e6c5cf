export type { Callback, Conversation, Message } from 'vigil-client';
export type { ConversationPage } from 'vigil-client/shared';
