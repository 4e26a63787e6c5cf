import type { AnswerCallback, Client, Conversation, OwnTimer } from 'vigil-client';
import {
  type AnsweredCallback,
  type ArrangeConversation,
  type ChangeTimer,
  type Fork,
  seenAnswer,
  wordsOf,
} from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { save } from '../ui/save';
import type { Format } from '../words/export';
import { untrustedIn } from '../words/sources';
import type { Decide } from './approvals';
import type { Follow } from './follow';
import { notify, type VigilStore } from './vigil-state';

/** Actions on a run, a call or a timer. The response is merged into the state. A failure appears as a notice. */
export function act(
  store: VigilStore,
  { api, approvals, conversation, conversations, home }: Client,
  { decide, follow }: { decide: Decide; follow: Follow },
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

  function changed(timer: OwnTimer): void {
    const { conversationId, ...row } = timer;
    follow.merge(conversationId, [{ kind: 'timer', row }]);
    home.merge([timer]);
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
    async answer(id: string, callback: AnsweredCallback, answer: AnswerCallback): Promise<string | undefined> {
      try {
        follow.merge(id, [{ kind: 'callback', row: await api.answer(id, callback.id, seenAnswer(callback, answer)) }]);
        return undefined;
      } catch (error) {
        return wordsOf(error);
      }
    },
    /** As `answer`, in a conversation that the page does not have, perhaps another user's. */
    async decide(id: string, callback: AnsweredCallback, decision: AnswerCallback): Promise<string | undefined> {
      try {
        await decide(id, callback, decision);
        return undefined;
      } catch (error) {
        return wordsOf(error);
      }
    },
    /** As `decide`. @throws RequestFailed, with 409 if somebody else was first. */
    decideOrThrow: decide,
    /**
     * Asks a person to decide about an approval, or, without one, nobody in particular. Repeating it changes nothing.
     * @throws RequestFailed.
     */
    async assign(id: string, callbackId: string, to: string | undefined): Promise<void> {
      try {
        const row = to === undefined ? await api.unassign(id, callbackId) : await api.assign(id, callbackId, to);
        if (shown(id)) follow.merge(id, [{ kind: 'callback', row }]);
      } finally {
        // Also if the answer was lost.
        void approvals.read();
      }
    },
    /** Declares the words from outside that the page shows as trusted. */
    trust: (id: string) =>
      attempt(t('Not trusted'), async () => {
        const conversation = shown(id);
        if (conversation) show(await api.trust(id, untrustedIn(conversation)));
      }),
    cancelTimer: (id: string, timerId: string) =>
      attempt(t('Not cancelled'), async () => changed({ ...(await api.cancelTimer(id, timerId)), conversationId: id })),
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
    forget: (memoryId: string) => attempt(t('Not forgotten'), () => api.forget(memoryId)),
    /** Returns what the user has allowed for later. @throws RequestFailed. */
    allowed: async () => (await api.standingApprovals()).approvals,
    revoke: (id: string) => attempt(t('Not ended'), () => api.revokeStandingApproval(id)),
    /** Returns who decides in the user's place, and in whose place the user decides. @throws RequestFailed. */
    absence: () => api.absence(),
    /** @throws RequestFailed. */
    beAbsent: (to: string, until: string) => api.beAbsent({ to, until }),
    endAbsence: () => attempt(t('Not ended'), () => api.endAbsence()),
  };
}
export type Act = ReturnType<typeof act>;
