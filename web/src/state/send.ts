import { rowsOf } from '../../../core/live-merge';
import type { Api } from '../network/api';
import { RequestFailed, wordsOf } from '../network/problem';
import { mergeInto } from './merge';
import { again, due, lastUnsent, queue, refused, sending, type Unsent, waiting, without } from './outbox';
import type { VigilStore } from './vigil-state';

/** Sends what is in the outbox, in order, and again with the same ids when nobody answered: it is stored once. */
export interface Send {
  /** Says something in a conversation that is there. */
  say(conversationId: string, text: string): void;
  /** @returns the new conversation's id, which is the page's own: asked for twice, it is started once. */
  begin(agent: string, text: string): string;
  again(clientMessageId: string): void;
  /** Takes the last unsent message back, to be written anew. */
  takeBack(conversationId: string): string | undefined;
  drop(clientMessageId: string): void;
  /** There is somebody to send to again. */
  resume(): void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

export function send(store: VigilStore, api: Api, started: (id: string) => void): Send {
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const change = (by: (outbox: readonly Unsent[]) => readonly Unsent[]) =>
    store.setState(({ outbox }) => ({ outbox: by(outbox) }));

  function flush(): void {
    for (const one of due(store.getState().outbox)) void deliver(one);
  }

  async function deliver(unsent: Unsent): Promise<void> {
    const { clientMessageId, conversationId, agent, text } = unsent;
    change((outbox) => sending(outbox, clientMessageId));
    try {
      if (agent) {
        const conversation = await api.start({ id: conversationId, agent, text, clientMessageId });
        mergeInto(store, conversationId, rowsOf(conversation), true);
      } else {
        const message = await api.say(conversationId, { text, clientMessageId });
        mergeInto(store, conversationId, [{ kind: 'message', row: message }]);
      }
      // Its row has taken its place already; this is for a server that does not name the id.
      change((outbox) => without(outbox, clientMessageId));
      pauseMs = firstPauseMs;
      if (agent) started(conversationId);
      flush();
    } catch (error) {
      if (error instanceof RequestFailed && !error.passing) {
        change((outbox) => refused(outbox, clientMessageId, wordsOf(error)));
        return flush();
      }
      change((outbox) => waiting(outbox, clientMessageId));
      clearTimeout(timer);
      timer = setTimeout(flush, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  function put(conversationId: string, text: string, agent?: string): void {
    const createdAt = new Date(Date.now() + store.getState().offset).toISOString();
    change((outbox) => queue(outbox, { clientMessageId: crypto.randomUUID(), conversationId, agent, text, createdAt }));
    flush();
  }

  return {
    say: put,
    begin(agent, text) {
      const id = crypto.randomUUID();
      put(id, text, agent);
      return id;
    },
    again(clientMessageId) {
      change((outbox) => again(outbox, clientMessageId));
      flush();
    },
    takeBack(conversationId) {
      const last = lastUnsent(store.getState().outbox, conversationId);
      if (!last || last.agent) return undefined;
      change((outbox) => without(outbox, last.clientMessageId));
      return last.text;
    },
    drop: (clientMessageId) => change((outbox) => without(outbox, clientMessageId)),
    resume() {
      pauseMs = firstPauseMs;
      clearTimeout(timer);
      flush();
    },
  };
}
