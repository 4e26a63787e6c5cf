/** `vigil/client`: the API and the live view for a browser, Node and React Native. docs/embed.md tells how to use it. @packageDocumentation */

export type { Api } from './api';
export type {
  Allowance,
  AnswerCallback,
  Callback,
  Conversation,
  ConversationSummary,
  Message,
  OwnTimer,
  Problem,
  ProblemType,
  SendMessage,
  StartConversation,
  Timer,
  WaitingApproval,
} from './api-types';
export { type Client, type ClientOptions, createClient } from './client';
export type { ApprovalsFeed, ApprovalsState } from './feeds/approvals';
export type { ConversationFeed, ConversationState } from './feeds/conversation';
export type { ConversationsFeed, ConversationsState } from './feeds/conversations';
export type { Feed, Status } from './feeds/feed';
export type { HomeFeed, HomeState } from './feeds/home';
export type { MessageWithFiles, SentFile, UploadOptions, WithFiles } from './files/upload';
export type { Answer, Request } from './http';
export type { Connection, Follower, Live } from './live/live';
export type { Socket, SocketClass } from './live/live-socket';
export { type ClientMessage, protocolVersion, type ServerMessage } from './live/protocol';
export type { Topic } from './live/subscriptions';
export { pagesOf } from './pages';
export { RequestFailed } from './problem';
