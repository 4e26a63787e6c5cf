import {
  addUsage,
  Call,
  Callback,
  type ConversationHead,
  ConversationSummary,
  Message,
  noUsage,
  Run,
  Timer,
} from '../schemas';
import { isOpen } from './callback';
import { type Meta, StoredCall, StoredCallback, StoredTimer } from './rows';
import { isArranged } from './timer';

/**
 * What of a row its conversation's owner may see: public shapes only, so no task token, no writer, no outbox. The answer of
 * a GET and what is pushed are made here, both: the same version of a row is the same on either way.
 */

export const shownSummary = (meta: Meta): ConversationSummary =>
  ConversationSummary.parse({ ...meta, id: meta.conversationId });

export const shownConversation = (meta: Meta): ConversationHead => ({
  ...shownSummary(meta),
  run: meta.run && Run.parse(meta.run),
  usage: addUsage(meta.earlierUsage, meta.run?.usage ?? noUsage),
});

export const shownMessage = (row: object): Message => Message.parse(row);

export function shownCall(row: object): Call {
  const call = Call.parse(StoredCall.parse(row));
  return { ...call, arguments: head(call.arguments), ...(call.result !== undefined && { result: head(call.result) }) };
}

/** Past its time, it can no longer be answered, even if its execution has not said so yet. */
export function shownCallback(row: object, now: Date): Callback {
  const stored = StoredCallback.parse(row);
  const overdue = stored.status === 'pending' && !isOpen(stored, now);
  return Callback.parse(overdue ? { ...stored, status: 'expired' } : stored);
}

/** Nothing for a timer that nobody arranged. */
export function shownTimer(row: object): Timer | undefined {
  const stored = StoredTimer.parse(row);
  return isArranged(stored) ? Timer.parse(stored) : undefined;
}

/** Of a call's arguments and result the page gets the beginning. */
const headCharacters = 2_000;

function head(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json.length <= headCharacters + 2) return value;
  return `${(typeof value === 'string' ? value : json).slice(0, headCharacters)}…`;
}
