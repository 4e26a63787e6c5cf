import { type Api, RequestFailed } from 'vigil-client';
import { askedMs, newPauses, wordsOf } from 'vigil-client/shared';
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
import type { Follow } from './follow';
import { nowIn } from './now';
import type { VigilStore } from './vigil-state';

/**
 * Sends the unsent messages in order. Without a response, it sends a message again under the same id, so it is
 * stored once.
 */
export interface Send {
  /** Adds a message to an existing conversation. */
  say(conversationId: string, text: string): void;
  /**
   * @returns the new conversation's id. The page chooses it, so a repeated request starts one conversation.
   */
  begin(agent: string, text: string): string;
  again(clientMessageId: string): void;
  /**
   * Takes the last unsent message back for editing. One that was to start this conversation becomes the draft of a new
   * one.
   */
  takeBack(conversationId: string): string | undefined;
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
    const { clientMessageId, conversationId, agent, text } = unsent;
    change((unsent) => sending(unsent, clientMessageId));
    try {
      if (agent) {
        const conversation = await api.start({ id: conversationId, agent, text, clientMessageId, ...here() });
        merge(conversationId, conversation, true);
      } else {
        const message = await api.say(conversationId, { text, clientMessageId, ...here() });
        merge(conversationId, [{ kind: 'message', row: message }]);
      }
      // Usually the row has replaced it already. This covers a response without the id.
      change((unsent) => withoutStored(unsent, [{ clientMessageId }]));
      pauses.reset();
      if (agent) started(conversationId);
      flush();
    } catch (error) {
      if (error instanceof RequestFailed && !error.passing) {
        change((unsent) => refused(unsent, clientMessageId, wordsOf(error)));
        return flush();
      }
      change((unsent) => waiting(unsent, clientMessageId, wordsOf(error)));
      const pauseMs = pauses.next(error);
      if (askedMs(error) > 0) notBefore = Math.max(notBefore, performance.now() + pauseMs);
      flushIn(pauseMs);
    }
  }

  function put(conversationId: string, text: string, agent?: string): void {
    const createdAt = new Date(nowIn(store.getState())).toISOString();
    change((unsent) => queue(unsent, { clientMessageId: crypto.randomUUID(), conversationId, agent, text, createdAt }));
    flush();
  }

  function remove({ clientMessageId, conversationId, agent }: Unsent): void {
    change((unsent) => without(unsent, clientMessageId));
    const isEmpty = !store.getState().unsent.some((one) => one.conversationId === conversationId);
    if (agent && isEmpty) givenUp(conversationId);
    else flush();
  }

  return {
    say: (conversationId, text) => put(conversationId, text),
    begin(agent, text) {
      const id = newConversationId();
      put(id, text, agent);
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
      if (!last.agent) return last.text;
      store.setState(({ drafts }) => {
        const both = [last.text, drafts.get(newPlace)].filter((text) => text).join('\n\n');
        return { drafts: withDraft(drafts, newPlace, both) };
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
