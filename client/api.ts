import type { Ticket } from '../core/live/live';
import type { Memory } from '../core/memory/memory';
import type { NoticeSettings } from '../core/notices/settings';
import type { RunAttempts } from '../core/reconcile/attempts';
import type {
  AgentCard,
  Call,
  Callback,
  Conversation,
  ConversationSummary,
  Message,
  Timer,
} from '../core/state/schemas';
import type { AgentDetails } from '../core/views/agent-details';
import type { Allowance } from '../core/views/allowance';
import type { WaitingApproval } from '../core/views/approvals';
import type {
  AnswerCallback,
  Arrange,
  CallPage,
  Cancel,
  ConversationPage,
  Fork,
  FoundPage,
  HomePage,
  SendMessage,
  StartConversation,
  TimelinePage,
  TimerPage,
  Trust,
} from '../lambdas/api/bodies';
import type { Request } from './http';
import { problemIn } from './problem';

/** A browser that gets the user's notifications. One that a second token has not confirmed ends with its first one. */
export interface Device {
  id: string;
  name?: string;
  addedAt: string;
  until: string;
  isConfirmed: boolean;
}

/** The HTTP API for the signed-in user. Every method @throws RequestFailed. */
export type Api = ReturnType<typeof openApi>;

const from = (cursor?: string) => (cursor ? `cursor=${encodeURIComponent(cursor)}` : '');

/** @param signal aborts every request. */
export function openApi(request: Request, signal?: AbortSignal) {
  async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await request(method, path, body, signal);
    if (answer.status >= 400) throw problemIn(answer);
    return (answer.text === '' ? undefined : JSON.parse(answer.text)) as Answer;
  }

  const at = (id: string, rest = '') => `/conversations/${encodeURIComponent(id)}${rest}`;
  return {
    agents: () => call<{ agents: AgentCard[] }>('GET', '/agents'),
    agent: (name: string) => call<AgentDetails>('GET', `/agents/${encodeURIComponent(name)}`),
    memories: () => call<{ memories: Memory[] }>('GET', '/memories'),
    forget: (id: string) => call<void>('DELETE', `/memories/${encodeURIComponent(id)}`),
    usage: () => call<{ usage: Allowance[] }>('GET', '/usage'),
    approvals: (cursor?: string) =>
      call<{ approvals: WaitingApproval[]; cursor?: string }>('GET', `/approvals?${from(cursor)}`),
    devices: () => call<{ publicKey: string; devices: Device[] }>('GET', '/devices'),
    addDevice: (body: { endpoint: string; keys: { p256dh: string; auth: string }; name: string }) =>
      call<Device>('PUT', '/devices', body),
    /** Ends all devices, words in notifications and e-mail. Tokens issued until now grant none of it again. */
    endDevices: () => call<void>('DELETE', '/devices'),
    removeDevice: (id: string) => call<void>('DELETE', `/devices/${encodeURIComponent(id)}`),
    noticeSettings: () => call<NoticeSettings>('GET', '/notifications'),
    changeNoticeSettings: (body: NoticeSettings) => call<void>('PUT', '/notifications', body),
    ticket: () => call<Ticket>('POST', '/live/tickets'),
    home: () => call<HomePage>('GET', '/home'),
    list: (cursor?: string) => call<ConversationPage>('GET', `/conversations?${from(cursor)}`),
    listOpen: (state: 'active' | 'failed', cursor?: string) =>
      call<ConversationPage>('GET', `/conversations?state=${state}&${from(cursor)}`),
    listArchived: (cursor?: string) => call<ConversationPage>('GET', `/conversations?state=archived&${from(cursor)}`),
    search: (words: string, cursor?: string) =>
      call<FoundPage>('GET', `/search?q=${encodeURIComponent(words)}&${from(cursor)}`),
    timers: (cursor?: string) => call<TimerPage>('GET', `/timers?${from(cursor)}`),
    read: (id: string, after: number) => call<Conversation>('GET', at(id, `?after=${after}`)),
    wholeCalls: (id: string, after?: string) =>
      call<CallPage>('GET', at(id, after === undefined ? '/calls' : `/calls?after=${encodeURIComponent(after)}`)),
    timeline: (id: string) => call<TimelinePage>('GET', at(id, '/timeline')),
    attempts: (id: string) => call<RunAttempts>('GET', at(id, '/attempts')),
    call: (id: string, callId: string) => call<Call>('GET', at(id, `/calls/${encodeURIComponent(callId)}`)),
    start: (body: StartConversation) => call<Conversation>('POST', '/conversations', body),
    say: (id: string, body: SendMessage) => call<Message>('POST', at(id, '/messages'), body),
    answer: (id: string, callbackId: string, body: AnswerCallback) =>
      call<Callback>('POST', at(id, `/callbacks/${encodeURIComponent(callbackId)}`), body),
    cancel: (id: string, body: Cancel) => call<Conversation>('POST', at(id, '/cancel'), body),
    retry: (id: string) => call<Conversation>('POST', at(id, '/retry')),
    fork: (id: string, body: Fork) => call<Conversation>('POST', at(id, '/fork'), body),
    trust: (id: string, body: Trust) => call<Conversation>('POST', at(id, '/trust'), body),
    arrange: (id: string, body: Arrange) => call<ConversationSummary>('PATCH', at(id), body),
    /** With its versions. */
    remove: (id: string) => call<void>('DELETE', at(id, '?versions=all')),
    cancelTimer: (id: string, timerId: string) =>
      call<Timer>('DELETE', at(id, `/timers/${encodeURIComponent(timerId)}`)),
  };
}
