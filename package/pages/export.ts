/** `vigil/export`: conversations as files, by the package `vigil-client`. @packageDocumentation */
export type * from 'vigil-client/export';
export { zipConversation } from 'vigil-client/export';
