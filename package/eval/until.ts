import type { Conversation, Message } from 'vigil-client';
import { inReadingOrder, placeOf } from '../../core/conversations/decisions/transcript';
import type { Call } from './scorers';

/**
 * Returns a conversation as it was when a reply was complete, as far as a transcript shows it: no later message, no later call, and nothing
 * of what became later of those that were open.
 */
export function until(conversation: Conversation, reply: Message): Conversation {
  const end = Date.parse(reply.completedAt ?? reply.createdAt);
  const isLater = (at: string | undefined) => at !== undefined && Date.parse(at) > end;
  // A step that was made again has several replies. The last one has the calls.
  const replies = new Map(
    conversation.messages.flatMap(({ role, runId, step, seq }) =>
      role === 'assistant' ? [[`${runId} ${step}`, seq]] : [],
    ),
  );
  const placed = conversation.calls.map((call) => ({
    call,
    by: replies.get(`${call.runId} ${call.step}`) ?? Infinity,
  }));
  // Its own calls were made when it was complete, whatever the clocks of two machines say.
  const own = new Set(placed.filter(({ by }) => by === reply.seq).map(({ call }) => call.id));
  const then = (call: Call): Call => {
    const { result: _, error: __, undoneAt, ...made } = call;
    if (own.has(call.id) || isLater(call.completedAt)) return { ...made, status: 'queued' };
    return isLater(undoneAt) ? { ...call, status: 'completed' } : call;
  };
  return {
    ...conversation,
    messages: inReadingOrder(conversation.messages).filter((message) => placeOf(message) <= reply.seq),
    calls: placed.filter(({ by }) => by <= reply.seq).map(({ call }) => then(call)),
    callbacks: conversation.callbacks
      .filter(({ callId, createdAt }) => !isLater(createdAt) && !own.has(callId ?? ''))
      .map((one) => (isLater(one.closedAt) ? { ...one, status: 'pending', outcome: undefined } : one)),
  };
}
