import { type Api, RequestFailed } from 'vigil-client';
import { askedMs, newPauses } from 'vigil-client/shared';
import { contentOf, type DraftFiles, filesAt, filesPlace } from '../files/draft-files';
import { newPlace, withDraft } from '../hooks/drafts';
import {
  again,
  due,
  lastUnsent,
  queue,
  refused,
  sending,
  type Unsent,
  waiting,
  without,
  withoutStored,
} from '../kept/unsent';
import { t } from '../languages/catalogue';
import { wordsOf } from '../words/problem-words';
import type { Follow } from './follow';
import { nowIn } from './now';
import type { VigilStore } from './vigil-state';

/**
 * Sends the unsent messages in order. Without a response, it sends a message again under the same id, so it is
 * stored once.
 */
export interface Send {
  /** Adds a message to an existing conversation. */
  say(conversationId: string, text: string, files?: DraftFiles, to?: Pick<Unsent, 'to' | 'mentions'>): void;
  /**
   * @returns the new conversation's id. The page chooses it, so a repeated request starts one conversation.
   */
  begin(agent: string, text: string, files?: DraftFiles): string;
  again(clientMessageId: string): void;
  /**
   * Takes the last unsent message back for editing. One that was to start this conversation becomes the draft of a new
   * one.
   */
  takeBack(conversationId: string): Pick<Unsent, 'text' | 'files' | 'to'> | undefined;
  drop(clientMessageId: string): void;
  /** Sends again at once, after a reconnect, unless the server has asked for a pause. */
  resume(): void;
}

export interface SendOptions {
  newConversationId(): string;
  /** Merges what a request has stored. */
  merge: Follow['merge'];
  /** Called when a conversation started here is stored. */
  started(id: string): void;
  /**
   * Called when the message that was to start a conversation was rejected and discarded: the conversation will not
   * exist.
   */
  givenUp(id: string): void;
}

/** The browser's time zone and language. Read for each message, because people travel. */
const here = () => ({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: navigator.language });

/** A file that no message refers to is kept for a day; a draft is kept longer. */
const refusalWords = (error: RequestFailed): string =>
  error.errors?.some(({ path }) => /^parts\.\d+\.id$/.test(path))
    ? t('A file is not stored any more, because it was not sent within a day. Add it again.')
    : wordsOf(error);

export function send(store: VigilStore, api: Api, { newConversationId, merge, started, givenUp }: SendOptions): Send {
  const pauses = newPauses();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The server asks not to be asked again before that, by `performance.now()`. */
  let notBefore = 0;
  const change = (by: (unsent: readonly Unsent[]) => readonly Unsent[]) =>
    store.setState(({ unsent }) => ({ unsent: by(unsent) }));

  function flush(): void {
    const left = notBefore - performance.now();
    if (left > 0) flushIn(left);
    else for (const one of due(store.getState().unsent)) void deliver(one);
  }

  function flushIn(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(flush, milliseconds);
  }

  async function deliver(unsent: Unsent): Promise<void> {
    const { clientMessageId, conversationId, agent, text, files, to, mentions } = unsent;
    const content = { ...contentOf(text, files), clientMessageId, ...here() };
    change((unsent) => sending(unsent, clientMessageId));
    try {
      if (agent) {
        const conversation = await api.start({ id: conversationId, agent, ...content });
        merge(conversationId, conversation, true);
      } else {
        const people = { ...(to && { to }), ...(mentions?.length && { mentions: [...mentions] }) };
        const message = await api.say(conversationId, { ...content, ...people });
        merge(conversationId, [{ kind: 'message', row: message }]);
      }
      // Usually the row has replaced it already. This covers a response without the id.
      change((unsent) => withoutStored(unsent, [{ clientMessageId }]));
      pauses.reset();
      if (agent) started(conversationId);
      flush();
    } catch (error) {
      if (error instanceof RequestFailed && !error.passing) {
        change((unsent) => refused(unsent, clientMessageId, refusalWords(error)));
        return flush();
      }
      change((unsent) => waiting(unsent, clientMessageId, wordsOf(error)));
      const pauseMs = pauses.next(error);
      if (askedMs(error) > 0) notBefore = Math.max(notBefore, performance.now() + pauseMs);
      flushIn(pauseMs);
    }
  }

  type Written = Pick<Unsent, 'agent' | 'text' | 'files' | 'to' | 'mentions'>;
  function put(conversationId: string, { files, ...written }: Written): void {
    const createdAt = new Date(nowIn(store.getState())).toISOString();
    const clientMessageId = crypto.randomUUID();
    const message = { clientMessageId, conversationId, ...written, ...(files?.length && { files }), createdAt };
    change((unsent) => queue(unsent, message));
    flush();
  }

  function remove({ clientMessageId, conversationId, agent }: Unsent): void {
    change((unsent) => without(unsent, clientMessageId));
    const isEmpty = !store.getState().unsent.some((one) => one.conversationId === conversationId);
    if (agent && isEmpty) givenUp(conversationId);
    else flush();
  }

  return {
    say: (conversationId, text, files, to) => put(conversationId, { text, files, ...to }),
    begin(agent, text, files) {
      const id = newConversationId();
      put(id, { agent, text, files });
      return id;
    },
    again(clientMessageId) {
      change((unsent) => again(unsent, clientMessageId));
      flush();
    },
    takeBack(conversationId) {
      const last = lastUnsent(store.getState().unsent, conversationId);
      // The request that starts a conversation may be stored already, unless it was rejected.
      if (!last || (last.agent && last.status !== 'refused')) return undefined;
      remove(last);
      if (!last.agent) return last;
      store.setState(({ drafts }) => {
        const both = [last.text, drafts.get(newPlace)].filter((text) => text).join('\n\n');
        const files = [...(last.files ?? []), ...filesAt(drafts, newPlace)];
        const withText = withDraft(drafts, newPlace, both || undefined);
        return { drafts: files.length > 0 ? withDraft(withText, filesPlace(newPlace), files) : withText };
      });
      return undefined;
    },
    drop(clientMessageId) {
      const one = store.getState().unsent.find((unsent) => unsent.clientMessageId === clientMessageId);
      if (one) remove(one);
    },
    resume() {
      pauses.reset();
      flush();
    },
  };
}
