import { type Api, type Client, createClient } from 'vigil-client';
import { type AgentDetails, type Call, type RunAttempts, serverClock, type Timeline } from 'vigil-client/shared';
import { goTo } from '../hooks/use-place';
import { forgetDrafts, keepDrafts } from '../kept/kept-drafts';
import { keepSeen } from '../kept/kept-seen';
import { forgetSnoozed, keepSnoozed } from '../kept/kept-snoozed';
import { keepUnsent } from '../kept/kept-unsent';
import { localCloud } from '../network/local-cloud';
import { conversationIds, type Session } from '../network/session';
import { type Notices, openNotices } from '../notices/notices';
import { showsToasts } from '../notices/toasts';
import { type Me, userFromToken } from '../rows/deciders';
import { wordsOf } from '../words/problem-words';
import { type Act, act, timerChanged } from './act';
import { tellDecisions } from './approvals';
import { type Clock, openClock } from './clock';
import { type Follow, follow } from './follow';
import { type Holding, holding } from './held';
import { nowIn } from './now';
import { type Send, send } from './send';
import { type VigilStore, vigilState } from './vigil-state';

/** The page without its appearance: its state and its actions. */
export interface Vigil {
  session: Session;
  me: Me;
  store: VigilStore;
  client: Client;
  follow: Follow;
  send: Send;
  act: Act;
  held: Holding;
  notices: Notices;
  /** Returns what Step Functions knows of a run that gives no sign. */
  attempts(id: string): Promise<RunAttempts>;
  /** The timeline of a conversation's runs. It is read, not pushed. */
  timeline(id: string): Promise<Timeline>;
  /** What was recalled about the user for a message of theirs. */
  recalled: Api['recalled'];
  agent(name: string): Promise<AgentDetails>;
  /** A call with all of its arguments and its result. */
  call(id: string, callId: string): Promise<Call>;
  upload: Client['upload'];
  /** Returns an address of a file, for minutes. */
  fileAddress: Api['file'];
  /** On a laptop only. */
  clock?: Clock;
  readAgents(): Promise<void>;
  reconnect(): void;
}

export async function openVigil(session: Session, isLocal: boolean): Promise<Vigil> {
  const token = await session.token();
  const newConversationId = await conversationIds(token);
  const me = userFromToken(token);
  const store = vigilState();
  keepUnsent(store, session.user);
  keepDrafts(store, session.user);
  keepSnoozed(store, session.user);
  const client = createClient({
    url: session.apiUrl,
    clock: {
      ...serverClock((aheadMs) => store.setState({ aheadMs })),
      now: () => nowIn(store.getState()),
    },
    async token({ expired }) {
      if (expired) await session.renew();
      return session.token();
    },
  });
  const { api, live } = client;
  keepSeen(store, client.conversations, session.user);
  const following = follow(store, client, showsToasts(store, client.conversations));
  const decide = tellDecisions(store, client, me);
  const held = holding(store, client, { decide, cancelled: timerChanged(client, following), user: session.user });
  const isOpen = (id: string) => store.getState().open === id;
  const sends = send(store, api, {
    newConversationId,
    merge: following.merge,
    started: (id) => isOpen(id) && following.open(id),
    givenUp: (id) => isOpen(id) && goTo(undefined),
  });
  const readAgents = () =>
    api.agents().then(
      ({ agents, modules }) => store.setState({ agents, modules, agentsReading: { is: 'ready' } }),
      // Read again on the next connect, or on request.
      (error: unknown) => store.setState({ agentsReading: { is: 'failed', problem: wordsOf(error) } }),
    );
  live.onConnection(() => {
    const { connection } = live;
    if (connection === store.getState().connection) return;
    store.setState({ connection });
    if (connection !== 'live') return;
    sends.resume();
    held.reconnected();
    if (store.getState().agents.length === 0) void readAgents();
  });
  void readAgents();
  // Messages left unsent by a reload do not wait for the connection.
  sends.resume();

  const local = isLocal ? localCloud() : undefined;
  const clock = local && openClock(store, client.conversations, local);
  const acts = act(
    store,
    client,
    { decide, follow: following, me, renew: () => session.renew(), left: () => goTo(undefined) },
    newConversationId,
  );
  void clock?.read();
  const { signOut } = session;
  function leave(): void {
    forgetDrafts(store, session.user);
    forgetSnoozed(session.user);
    signOut?.();
  }
  return {
    session: { ...session, ...(signOut && { signOut: leave }) },
    me,
    store,
    send: sends,
    clock,
    client,
    follow: following,
    act: acts,
    held,
    notices: openNotices(api, acts, session),
    timeline: api.timeline,
    attempts: api.attempts,
    recalled: api.recalled,
    agent: api.agent,
    call: api.call,
    upload: client.upload,
    fileAddress: api.file,
    readAgents,
    reconnect: live.reconnect,
  };
}
