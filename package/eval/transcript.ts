import type { Conversation, Message } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import { withoutIdsAndTimes } from './same-words';
import { type Call, type CallOutcome, outcomeOf } from './scorers';

/** What was said, by whom. */
interface SaidEntry {
  kind: 'said';
  /** `user`, `person` for other people, `system`, or the name of the agent. */
  by: string;
  text: string;
}
/** A call of a tool, and what became of it. */
interface CallEntry {
  kind: 'call';
  tool: string;
  arguments: unknown;
  outcome: CallOutcome;
  /** Its result, or why it failed. */
  answer?: unknown;
  /** Whether somebody was asked to approve it. */
  asked?: true;
}
/** One entry of a transcript: what happened, without ids and times, so that the same course has the same transcript. */
export type Entry = SaidEntry | CallEntry;

/** Returns what happened in a conversation, in order. */
export function transcriptOf(conversation: Conversation): Entry[] {
  const { messages, calls } = conversation;
  const owner = conversation.owner ?? messages.find(({ role }) => role === 'user')?.author;
  const entries = messages.flatMap((message): Entry[] => {
    const own = message.role === 'assistant' ? calls.filter((call) => isOf(call, message)) : [];
    const said = message.text === '' && own.length > 0 ? [] : [saidEntry(message, owner)];
    return [...said, ...own.toSorted((a, b) => a.index - b.index).map((call) => callEntry(call, conversation))];
  });
  return JSON.parse(withoutIdsAndTimes(JSON.stringify(entries))) as Entry[];
}

const isOf = ({ runId, step }: Call, message: Message): boolean => runId === message.runId && step === message.step;

const saidEntry = ({ role, author, text }: Message, owner: string | undefined): SaidEntry => ({
  kind: 'said',
  by: role === 'user' ? (author === owner ? 'user' : 'person') : role === 'system' ? 'system' : author,
  text,
});

function callEntry(call: Call, { callbacks }: Conversation): CallEntry {
  const { id, tool, result, error } = call;
  const isAsked = callbacks.some(({ kind, callId }) => asksFor(kind, 'decision') && callId === id);
  return {
    kind: 'call',
    tool,
    arguments: call.arguments ?? {},
    outcome: outcomeOf(call, callbacks),
    ...((error ?? result) !== undefined && { answer: error ?? result }),
    ...(isAsked && { asked: true }),
  };
}
