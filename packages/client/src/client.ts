import { untilAnswered } from './again';
import { type Api, openApi } from './api';
import type { Conversation, StartConversation } from './api-types';
import { type ApprovalsFeed, approvalsFeed } from './feeds/approvals';
import { type ConversationFeed, conversationFeed } from './feeds/conversation';
import { type ConversationsFeed, conversationsFeed } from './feeds/conversations';
import { type HomeFeed, homeFeed } from './feeds/home';
import { type UploadOptions, uploadFile, type WithFiles, withUploads } from './files/upload';
import { type HttpOptions, openHttp, type Request } from './http';
import { newId } from './ids';
import { type Live, type LiveOptions, openLive } from './live/live';
import { checkOptions, type KindsOf } from './options';
import { serverClock } from './server-clock';

export interface ClientOptions extends HttpOptions, Pick<LiveOptions, 'WebSocket'> {}

/** The actions of a signed-in user, and the data that they may see as it changes. */
export interface Client {
  /** The HTTP API. */
  readonly api: Api;
  /** Returns the HTTP API whose requests the signal aborts. */
  withSignal(signal?: AbortSignal): Api;
  /** Sends any request, and returns the response whatever its status. */
  readonly request: Request;
  /** The connection of everything that is followed. */
  readonly live: Live;
  /**
   * Starts a conversation, again until there is an answer. Each time it has the same ids, so it is started once.
   *
   * @throws RequestFailed if it is rejected, and the signal's reason after an abort. It may be started then.
   */
  start(body: StartConversation & WithFiles, signal?: AbortSignal): Promise<Conversation>;
  /**
   * Uploads a file, for a message of any conversation. It is kept for a day, and as long as a message refers to it.
   *
   * @throws RequestFailed if it is rejected or does not arrive, and the signal's reason after an abort.
   */
  upload(file: Blob, options?: UploadOptions): ReturnType<typeof uploadFile>;
  /** The same object while somebody follows the conversation, and for some time after that. */
  conversation(id: string): ConversationFeed;
  readonly conversations: ConversationsFeed;
  readonly approvals: ApprovalsFeed;
  /** The lists together, the timers, and what the user has spent. While it is followed, one request reads all of them. */
  readonly home: HomeFeed;
}

/** The number of conversations in memory, besides those that are followed. */
const keptConversations = 20;

const kinds: KindsOf<ClientOptions> = {
  url: 'a text',
  token: 'a function',
  timeoutMs: 'a number?',
  clock: 'anything?',
  WebSocket: 'a function?',
};

/**
 * Creates a client of a deployment, for one user. It sends nothing before it is used.
 *
 * @throws TypeError that names the option that is wrong.
 * @example
 * ```ts
 * import { createClient } from 'vigil-client';
 *
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * const { id, agent } = await client.start({ agent: 'guide', text: 'Are you open on Monday?' });
 * agent; // → 'guide'
 *
 * const chat = client.conversation(id); // `subscribe` follows it by the live view
 * chat.getSnapshot().status; // → 'loading'
 * const { messages } = await client.api.read(id, 0);
 * messages[0]?.text; // → 'Are you open on Monday?'
 * ```
 */
export function createClient(options: ClientOptions): Client {
  checkOptions('createClient', options, kinds);
  const { clock = serverClock() } = options;
  const request = openHttp({ ...options, clock });
  const api = openApi(request);
  const withSignal = (signal?: AbortSignal) => openApi(request, signal);
  const live = openLive({ ticket: api.ticket, WebSocket: options.WebSocket });
  const parts = { api, live, withSignal, now: clock.now, isReadAtHome: () => home.isFollowed() };
  const feeds = new Map<string, ReturnType<typeof conversationFeed>>();
  const conversations = conversationsFeed(parts, (id) => {
    const one = feeds.get(id);
    if (one?.getSnapshot().status !== 'gone') one?.deleted();
  });
  const approvals = approvalsFeed(parts);
  const home = homeFeed(parts, { conversations, approvals });

  return {
    api,
    withSignal,
    request,
    live,
    upload: (file, given) => uploadFile(withSignal, file, given),
    async start(body, signal) {
      const id = newId();
      const message = await withUploads(withSignal, body, signal);
      const isSaid = message.text !== undefined || message.parts !== undefined;
      const whole = { id, ...(isSaid && { clientMessageId: id }), ...message };
      return untilAnswered(() => withSignal(signal).start(whole), signal);
    },
    conversation(id) {
      const feed = feeds.get(id) ?? conversationFeed(id, parts, conversations);
      feeds.delete(id);
      const idle = [...feeds].filter(([, one]) => !one.isFollowed());
      for (const [one] of idle.slice(0, Math.max(0, idle.length - keptConversations + 1))) feeds.delete(one);
      feeds.set(id, feed);
      return feed;
    },
    conversations: conversations.itself,
    approvals,
    home,
  };
}
