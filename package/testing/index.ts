/** `vigil/testing`: stories about an app, told through its API with a scripted model. It needs no test runner. @packageDocumentation */

export { userId } from '../../local/http-api/identity';
export type { User } from '../../test/support/api-client';
export type { Callback, Conversation, Message } from '../../test/support/api-types';
export type { ChatRequest, ModelServer, Reply, Script, Style } from '../../test/support/servers/model-server';
export { startThirdParty, type ThirdParty, type ThirdPartyOptions } from '../../test/support/servers/third-party';
export { deliver } from '../../test/support/servers/webhook';
export { call } from './call';
export type { Fault, FunctionFault, TimeFault, WriteFault } from './fault';
export { startVigil, type VigilOptions } from './start-vigil';
export type { MoveOptions, PublishedEvent, Vigil } from './vigil';
