/** `vigil/export`: a conversation as a zip, with its files. It needs `client-zip`. @packageDocumentation */

export { type ConversationZip, type ZipOptions, type ZipProgress, zipConversation } from './zip';
