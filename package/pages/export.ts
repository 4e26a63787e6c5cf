/** `vigil/export`: conversations as files, by the package `vigil-client`. @packageDocumentation */
export type * from 'vigil-client/export';
export { conversationMarkdown, exportName, wholeConversation, zipConversation } from 'vigil-client/export';
