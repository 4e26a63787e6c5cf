/** `vigil/testing`: stories about an app, told through its API with a scripted model. It needs no test runner. */

export type { User } from '../../test/support/api-client';
export type { Callback, Conversation, Message } from '../../test/support/api-types';
export type { ChatRequest, ModelServer, Reply, Script } from '../../test/support/model-server';
export { call } from './call';
export { startVigil, type Vigil, type VigilOptions } from './start-vigil';
