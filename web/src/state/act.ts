import { type AnswerCallback, type Client, type Conversation, type OwnTimer, RequestFailed } from 'vigil-client';
import type { AnsweredCallback, ArrangeConversation, ChangeTimer, Fork, GiveFeedback } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import type { Me } from '../rows/deciders';
import { save } from '../ui/save';
import type { Format } from '../words/export';
import { personName } from '../words/person';
import { wordsOf } from '../words/problem-words';
import { untrustedIn } from '../words/sources';
import type { Decide } from './approvals';
import type { Follow } from './follow';
import { notify, type VigilStore } from './vigil-state';

export interface ActOptions {
  decide: Decide;
  follow: Follow;
  me: Me;
  /** Gets another token of the sign-in. */
  renew(): Promise<void>;
  /** Called when the user may no longer read the open conversation, because they have given it back or away. */
  left(): void;
}

/** Returns what merges a timer that has changed. */
export const timerChanged =
  ({ home }: Pick<Client, 'home'>, follow: Follow) =>
  (timer: OwnTimer): void => {
    const { conversationId, ...row } = timer;
    follow.merge(conversationId, [{ kind: 'timer', row }]);
    home.merge([timer]);
  };

/** Actions on a run, a call or a timer. The response is merged into the state. A failure appears as a notice. */
export function act(
  store: VigilStore,
  { api, approvals, conversation, conversations, home }: Client,
  { decide, follow, me, renew, left }: ActOptions,
  newConversationId: () => string,
) {
  const show = (conversation: Conversation) => follow.merge(conversation.id, conversation);
  const shown = (id: string) => conversation(id).getSnapshot().conversation;

  async function attempt(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      notify(store, `${what}: ${wordsOf(error)}`);
      return false;
    }
  }

  const arrange = (what: string, id: string, wish: ArrangeConversation) =>
    attempt(what, async () => conversations.merge([await api.arrange(id, wish)]));

  const changed = timerChanged({ home }, follow);

  /**
   * Asks a person to decide about an approval, or, without one, nobody in particular. Repeating it changes nothing.
   *
   * @param from who has taken the conversation over, if it is taken from them.
   * @throws RequestFailed.
   */
  async function assign(id: string, callbackId: string, to: string | undefined, from?: string): Promise<void> {
    try {
      const row = to === undefined ? await api.unassign(id, callbackId) : await api.assign(id, callbackId, to, from);
      if (shown(id)) follow.merge(id, [{ kind: 'callback', row }]);
    } finally {
      // Also if the answer was lost.
      void approvals.read();
    }
  }

  /** Does what may end the user's right to read a conversation. Then it is left, and the page does not say that it is gone. */
  async function leaving(id: string, words: string, work: () => Promise<void>): Promise<void> {
    store.setState({ leaving: id });
    try {
      await work();
    } catch (error) {
      store.setState({ leaving: undefined });
      throw error;
    }
    notify(store, words);
    const isOpen = store.getState().open === id;
    // Members and watchers stay.
    if (isOpen) await follow.read(id);
    if (isOpen && conversation(id).getSnapshot().status === 'gone') left();
    else store.setState({ leaving: undefined });
  }

  /** Says who was first. */
  async function lostWords(callbackId: string): Promise<string> {
    await approvals.read();
    const waits = approvals.getSnapshot().approvals.find(({ callback }) => callback.id === callbackId);
    const { to, toName } = waits?.callback.assigned ?? {};
    return to === undefined
      ? t('The conversation does not wait for a person any more.')
      : t('{name} was first, and has taken the conversation over.', { name: personName(to, toName) });
  }

  return {
    /** Names the run on the screen, because another one may have begun meanwhile. */
    stop: (id: string) =>
      attempt(t('Not stopped'), async () => show(await api.cancel(id, { runId: shown(id)?.run?.id }))),
    /** Both name the time on the screen, because another wait may have begun meanwhile. */
    wake: (id: string, until: string) => attempt(t('Not woken'), async () => show(await api.wake(id, until))),
    retryModel: (id: string, nextAt: string) =>
      attempt(t('Not asked again'), async () => show(await api.retryModel(id, nextAt))),
    retry: (id: string) => attempt(t('Not retried'), async () => show(await api.retry(id))),
    /**
     * @returns the new conversation's id.
     */
    async fork(id: string, from: Fork): Promise<string | undefined> {
      const copy = newConversationId();
      const done = await attempt(t('Not forked'), async () => show(await api.fork(id, { ...from, id: copy })));
      return done ? copy : undefined;
    },
    /** Says what the user thinks of a message, instead of what they have said before. */
    feedback: (id: string, seq: number, given: GiveFeedback) =>
      attempt(t('Not stored'), async () =>
        follow.merge(id, [{ kind: 'message', row: await api.giveFeedback(id, seq, given) }]),
      ),
    rename: (id: string, title: string) => arrange(t('Not renamed'), id, { title }),
    pin: (id: string, pinned: boolean) => arrange(pinned ? t('Not pinned') : t('Not unpinned'), id, { pinned }),
    archive: (id: string, archived: boolean) =>
      arrange(archived ? t('Not archived') : t('Not brought back'), id, { archived }),
    /** Saves the whole conversation as a file, without its files. */
    export: (id: string, format: Format) =>
      attempt(t('Not exported'), async () => {
        const { exportText } = await import('../words/export');
        const { content, name } = await exportText(api, id, format);
        save(content, name);
      }),
    /** Finds messages by their words. @throws RequestFailed. */
    search: api.search,
    /**
     * @returns why the answer was rejected, or undefined if it was stored. If another answer came first, the row says
     *   so.
     */
    answer: (id: string, callback: AnsweredCallback, answer: AnswerCallback): Promise<string | undefined> =>
      decide(id, callback, answer).then(() => undefined, wordsOf),
    decide,
    assign,
    /** Claims a conversation that waits for a person. @returns whether the user has it. What was lost to a colleague is said. */
    async takeOver(id: string, callbackId: string): Promise<boolean> {
      try {
        await assign(id, callbackId, me.user);
        return true;
      } catch (error) {
        const isLate = error instanceof RequestFailed && error.status === 409;
        notify(store, isLate ? await lostWords(callbackId) : `${t('Not taken over')}: ${wordsOf(error)}`);
        return false;
      }
    },
    /** Leaves a conversation that the user has taken over to the next one of the group. @returns why that failed. */
    release: (id: string, callbackId: string) =>
      leaving(id, t('You have released the conversation. It waits for another person.'), () =>
        assign(id, callbackId, undefined),
      ).then(() => undefined, wordsOf),
    /** Gives a conversation that the user has taken over to a colleague. @throws RequestFailed. */
    passOn: (id: string, callbackId: string, to: string) =>
      leaving(id, t('You have given the conversation to a colleague.'), () => assign(id, callbackId, to, me.user)),
    /**
     * Gives a conversation that the user has taken over back to its agent.
     *
     * @param ends the run is done then, and the agent says no more.
     * @returns why that failed.
     */
    giveBack: (id: string, callbackId: string, note: string, ends: boolean) =>
      leaving(
        id,
        ends ? t('You have ended the conversation’s run.') : t('You have given the conversation back to its agent.'),
        async () => {
          const answer = { answer: note, ...(ends && { ends: true as const }) };
          await approvals.answer({ conversationId: id, callback: { id: callbackId } }, answer);
        },
      ).then(() => undefined, wordsOf),
    /** Takes a conversation over without being asked. @returns why that failed. */
    async stepIn(id: string, reason: string, clientMessageId: string): Promise<string | undefined> {
      try {
        const row = await api.takeOver(id, { reason, clientMessageId });
        store.setState(({ joining }) => ({ joining: new Set(joining).add(id) }));
        follow.merge(id, [{ kind: 'message', row }]);
        return undefined;
      } catch (error) {
        return wordsOf(error);
      }
    },
    /** Declares the words from outside that the page shows as trusted. */
    trust: (id: string) =>
      attempt(t('Not trusted'), async () => {
        const conversation = shown(id);
        if (conversation) show(await api.trust(id, untrustedIn(conversation)));
      }),
    pauseTimer: ({ id }: OwnTimer, paused: boolean) =>
      attempt(paused ? t('Not paused') : t('Not resumed'), async () => changed(await api.changeTimer(id, { paused }))),
    changeTimer: ({ id }: OwnTimer, change: ChangeTimer) =>
      attempt(t('Not changed'), async () => changed(await api.changeTimer(id, change))),
    /** Names the request, so that a repeated one runs it once. */
    runTimer: ({ id }: OwnTimer) =>
      attempt(t('Not run'), async () => changed(await api.runTimer(id, { clientMessageId: crypto.randomUUID() }))),
    /** Returns what agents remember about the user. @throws RequestFailed. */
    memories: async () => (await api.memories()).memories,
    /** Returns what the user has used of each limit. @throws RequestFailed. */
    usage: () => api.usage(),
    /** Returns what the user has allowed for later. @throws RequestFailed. */
    allowed: async () => (await api.standingApprovals()).approvals,
    revoke: (id: string) => attempt(t('Not ended'), () => api.revokeStandingApproval(id)),
    /** Returns who decides in the user's place, and in whose place the user decides. @throws RequestFailed. */
    absence: () => api.absence(),
    /** The next token of the sign-in confirms it: one alone grants it no longer than it lasts itself. @throws RequestFailed. */
    async beAbsent(to: string, until: string) {
      const named = await api.beAbsent({ to, until });
      if (named.absence?.unconfirmedUntil === undefined) return named;
      return renew()
        .then(() => api.beAbsent({ to, until }))
        .catch(() => named);
    },
    endAbsence: () => attempt(t('Not ended'), () => api.endAbsence()),
  };
}
export type Act = ReturnType<typeof act>;
