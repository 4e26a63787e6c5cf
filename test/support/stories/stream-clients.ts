/** What the tests of streams take of the AI SDK, which is published as ES modules only: they load it as a bundle (`bundled.ts`). */
export { Chat } from '@ai-sdk/react';
export { readUIMessageStream } from 'ai';
export { filesOfMessage, sendsDecisions, uiMessages, vigilTransport } from 'vigil-client/ai-sdk';
