/** `vigil/export`: a conversation as a file, with its files. It needs `client-zip`. @packageDocumentation */

export { exportName } from './export-name';
export { conversationMarkdown, type ExportedFile } from './markdown';
export { wholeConversation } from './whole-conversation';
export { type ConversationZip, type ZipOptions, type ZipProgress, zipConversation } from './zip';
