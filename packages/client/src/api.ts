import type {
  Absences,
  Accepted,
  AgentDetails,
  AgentList,
  AnnouncedFile,
  AnswerCallback,
  ApprovalPage,
  ArrangeConversation,
  Assign,
  Authority,
  BeAbsent,
  Call,
  Callback,
  CallPage,
  Cancel,
  ChangeTimer,
  Conversation,
  ConversationLinks,
  ConversationPage,
  ConversationSummary,
  CreateTimer,
  Device,
  Devices,
  EndedAuthority,
  FileAddress,
  Fork,
  FoundPage,
  GiveFeedback,
  HomePage,
  Invitations,
  Join,
  Joined,
  MakeLink,
  MarkRead,
  Members,
  Memories,
  Message,
  NewConversationLink,
  NotificationSettings,
  OfferOwnership,
  OwnTimer,
  Recalled,
  RetryModel,
  RunAttempts,
  RunTimer,
  SendMessage,
  SetIgnored,
  SetMember,
  SetNotificationSettings,
  StandingApprovals,
  StandingReport,
  StartConversation,
  Subscription,
  TakeOver,
  Ticket,
  Timeline,
  Timer,
  TimerPage,
  Trust,
  UserFile,
  UserUsage,
  Wake,
} from './api-types';
import type { Request } from './http';
import { problemIn } from './problem';

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
    agents: () => call<AgentList>('GET', '/agents'),
    agent: (name: string) => call<AgentDetails>('GET', `/agents/${encodeURIComponent(name)}`),
    memories: () => call<Memories>('GET', '/memories'),
    forget: (id: string) => call<void>('DELETE', `/memories/${encodeURIComponent(id)}`),
    beginUpload: (body: AnnouncedFile) => call<UserFile>('POST', '/files', body),
    completeUpload: (fileId: string) => call<UserFile>('POST', `/files/${encodeURIComponent(fileId)}/complete`),
    /** @param as whether a browser shows it: pictures, audio and video. Everything else is saved. */
    file: (id: string, fileId: string, as: 'inline' | 'attachment' = 'attachment', filename?: string) =>
      call<FileAddress>(
        'GET',
        at(id, `/files/${encodeURIComponent(fileId)}?${new URLSearchParams({ as, ...(filename && { filename }) })}`),
      ),
    usage: () => call<UserUsage>('GET', '/usage'),
    absence: () => call<Absences>('GET', '/absence'),
    /** Names who decides in your place. */
    beAbsent: (body: BeAbsent) => call<Absences>('PUT', '/absence', body),
    /** Who may do what for the user. The next pages have shared conversations alone. */
    authority: (cursor?: string) => call<Authority>('GET', `/authority?${from(cursor)}`),
    /** Ends all of that, a page of conversations at a time. */
    endAuthority: (cursor?: string) => call<EndedAuthority>('DELETE', `/authority?${from(cursor)}`),
    endAbsence: () => call<void>('DELETE', '/absence'),
    standingApprovals: () => call<StandingApprovals>('GET', '/standing-approvals'),
    /** With each call that was made on its authority. */
    standingApproval: (id: string) => call<StandingReport>('GET', `/standing-approvals/${encodeURIComponent(id)}`),
    revokeStandingApproval: (id: string) => call<void>('DELETE', `/standing-approvals/${encodeURIComponent(id)}`),
    approvals: (cursor?: string) => call<ApprovalPage>('GET', `/approvals?${from(cursor)}`),
    devices: () => call<Devices>('GET', '/devices'),
    addDevice: (body: Subscription) => call<Device>('PUT', '/devices', body),
    /** Ends all devices, words in notifications and e-mail. Tokens issued until now grant none of it again. */
    endDevices: () => call<void>('DELETE', '/devices'),
    removeDevice: (id: string) => call<void>('DELETE', `/devices/${encodeURIComponent(id)}`),
    noticeSettings: () => call<NotificationSettings>('GET', '/notifications'),
    changeNoticeSettings: (body: SetNotificationSettings) => call<void>('PUT', '/notifications', body),
    ticket: () => call<Ticket>('POST', '/live/tickets'),
    home: () => call<HomePage>('GET', '/home'),
    list: (cursor?: string) => call<ConversationPage>('GET', `/conversations?${from(cursor)}`),
    listOpen: (state: 'active' | 'failed', cursor?: string) =>
      call<ConversationPage>('GET', `/conversations?state=${state}&${from(cursor)}`),
    listArchived: (cursor?: string) => call<ConversationPage>('GET', `/conversations?state=archived&${from(cursor)}`),
    search: (words: string, cursor?: string) =>
      call<FoundPage>('GET', `/search?q=${encodeURIComponent(words)}&${from(cursor)}`),
    timers: (cursor?: string) => call<TimerPage>('GET', `/timers?${from(cursor)}`),
    createTimer: (body: CreateTimer) => call<OwnTimer>('POST', '/timers', body),
    /** Pauses, resumes or changes it. */
    changeTimer: (timerId: string, body: ChangeTimer) =>
      call<OwnTimer>('PATCH', `/timers/${encodeURIComponent(timerId)}`, body),
    /** Runs a recurring timer now; once for each `clientMessageId`. */
    runTimer: (timerId: string, body: RunTimer = {}) =>
      call<OwnTimer>('POST', `/timers/${encodeURIComponent(timerId)}/run`, body),
    endTimer: (timerId: string) => call<OwnTimer>('DELETE', `/timers/${encodeURIComponent(timerId)}`),
    read: (id: string, after: number) => call<Conversation>('GET', at(id, `?after=${after}`)),
    wholeCalls: (id: string, after?: string) =>
      call<CallPage>('GET', at(id, after === undefined ? '/calls' : `/calls?after=${encodeURIComponent(after)}`)),
    timeline: (id: string) => call<Timeline>('GET', at(id, '/timeline')),
    attempts: (id: string) => call<RunAttempts>('GET', at(id, '/attempts')),
    /** What was recalled about the owner for a message with `hasRecalled`. Nobody else reads it. */
    recalled: (id: string, seq: number) => call<Recalled>('GET', at(id, `/messages/${seq}/recalled`)),
    call: (id: string, callId: string) => call<Call>('GET', at(id, `/calls/${encodeURIComponent(callId)}`)),
    start: (body: StartConversation) => call<Conversation>('POST', '/conversations', body),
    say: (id: string, body: SendMessage) => call<Message>('POST', at(id, '/messages'), body),
    answer: (id: string, callbackId: string, body: AnswerCallback) =>
      call<Callback>('POST', at(id, `/callbacks/${encodeURIComponent(callbackId)}`), body),
    /**
     * Asks one of those who can decide about an approval to do it. Others may still decide. Of a hand-off to a person, it is the claim.
     *
     * @param from for a conversation that another person has taken over: who that is.
     */
    assign: (id: string, callbackId: string, to: string, from?: string) =>
      call<Callback>('PUT', at(id, `/callbacks/${encodeURIComponent(callbackId)}/assignee`), {
        to,
        from,
      } satisfies Assign),
    unassign: (id: string, callbackId: string) =>
      call<Callback>('DELETE', at(id, `/callbacks/${encodeURIComponent(callbackId)}/assignee`)),
    /** Takes a conversation over without being asked, where its agent allows it. */
    takeOver: (id: string, body: TakeOver) => call<Message>('POST', at(id, '/take-over'), body),
    cancel: (id: string, body: Cancel) => call<Conversation>('POST', at(id, '/cancel'), body),
    retry: (id: string) => call<Conversation>('POST', at(id, '/retry')),
    /** Wakes a sleeping run before its time. */
    wake: (id: string, until: string) => call<Conversation>('POST', at(id, '/wake'), { until } satisfies Wake),
    /** Asks a model that does not answer again before its time. */
    retryModel: (id: string, nextAt: string) =>
      call<Conversation>('POST', at(id, '/retry-model'), { nextAt } satisfies RetryModel),
    /** The conversations that others share with the user. */
    listShared: (cursor?: string) => call<ConversationPage>('GET', `/conversations?state=shared&${from(cursor)}`),
    /** Invites a user, shares with a group, changes what somebody may do, or lets in who has come by a link. */
    setMember: (id: string, body: SetMember) => call<Members>('PUT', at(id, '/members'), body),
    /** Ends that. A member leaves by their own name, and who is invited declines by it. */
    removeMember: (id: string, member: string) =>
      call<void>('DELETE', at(id, `/members?member=${encodeURIComponent(member)}`)),
    invitations: () => call<Invitations>('GET', '/invitations'),
    acceptInvitation: (id: string) => call<Accepted>('POST', at(id, '/invitation')),
    /** Ignores `user:<id>`, whose invitations and notices do not come, or the notices of `conversation:<id>`; or no longer. */
    setIgnored: (body: SetIgnored) => call<void>('PUT', '/ignored', body),
    links: (id: string) => call<ConversationLinks>('GET', at(id, '/links')),
    makeLink: (id: string, body: MakeLink) => call<NewConversationLink>('POST', at(id, '/links'), body),
    revokeLink: (id: string, linkId: string) => call<void>('DELETE', at(id, `/links/${encodeURIComponent(linkId)}`)),
    /** Comes in by the secret of a link, or asks the owner. */
    join: (id: string, secret: string) => call<Joined>('POST', at(id, '/join'), { secret } satisfies Join),
    /** Offers the conversation to a member; `null` takes the offer back. */
    offerOwnership: (id: string, user: string | null) =>
      call<Members>('PUT', at(id, '/offer'), { user } satisfies OfferOwnership),
    /** Says how far the user has read a shared conversation. */
    markRead: (id: string, seq: number) => call<void>('PUT', at(id, '/read'), { seq } satisfies MarkRead),
    /** Says what the user thinks of a message, instead of what they have said before. Nothing takes it back. */
    giveFeedback: (id: string, seq: number, body: GiveFeedback) =>
      call<Message>('PUT', at(id, `/messages/${seq}/feedback`), body),
    acceptOwnership: (id: string) => call<Members>('POST', at(id, '/ownership')),
    fork: (id: string, body: Fork) => call<Conversation>('POST', at(id, '/fork'), body),
    trust: (id: string, body: Trust) => call<Conversation>('POST', at(id, '/trust'), body),
    arrange: (id: string, body: ArrangeConversation) => call<ConversationSummary>('PATCH', at(id), body),
    /** With its versions. */
    remove: (id: string) => call<void>('DELETE', at(id, '?versions=all')),
    cancelTimer: (id: string, timerId: string) =>
      call<Timer>('DELETE', at(id, `/timers/${encodeURIComponent(timerId)}`)),
  };
}
