/** `vigil/ai-sdk`: the transport of `vigil-client` for `useChat` of the AI SDK. @packageDocumentation */
export type * from 'vigil-client/ai-sdk';
export { filesOfMessage, sendsDecisions, uiMessages, vigilTransport } from 'vigil-client/ai-sdk';
