import type { Item } from '../state/items';
import type { StoredCall, StoredMessage } from '../store/rows';

/** A call together with its whole result, when it has one. */
export type CallWithResult = StoredCall & { wholeResult?: unknown };

/** Who reads a transcript, and up to where. */
export interface Reader {
  /** Only messages with a smaller sequence number: what a model call has seen is fixed when it begins. */
  before: number;
  /** What a reply holds for its maker alone goes back if this is it. */
  maker?: string;
}

/**
 * The conversation as a model reads it, in the order of the log. Each tool call is followed by exactly one result, whatever
 * became of it: without that no server accepts a transcript.
 *
 * A summary stands for the messages that it covers. What no model call has taken up yet is left to the one that does.
 */
export function transcript(messages: StoredMessage[], calls: CallWithResult[], reader: Reader): Item[] {
  const { before } = reader;
  const callsOfStep = new Map<string, CallWithResult[]>();
  for (const call of calls) {
    const step = `${call.runId} ${call.step}`;
    callsOfStep.set(step, [...(callsOfStep.get(step) ?? []), call]);
  }
  const summary = messages.findLast(
    ({ seq, covers, status }) => covers !== undefined && seq < before && status === 'complete',
  );
  const from = summary?.covers ?? 0;
  const said = inReadingOrder(messages)
    .filter((message) => placeOf(message) > from && placeOf(message) < before)
    .filter(({ callId, status }) => callId === undefined && status !== 'pending')
    .filter(({ covers }) => covers === undefined)
    .flatMap((message) => [...recalledNote(message.recalled), ...asSaid(message)]);
  return summary ? [note(`What was said before, in short: ${summary.text}`), ...said] : said;

  function asSaid(message: StoredMessage): Item[] {
    if (message.role === 'user') return [{ kind: 'message', by: 'user', text: message.text }];
    if (message.role === 'system') return [note(message.text)];
    // Cut off: the step was made again, and its calls belong to the message that came of that.
    if (message.status === 'cancelled') return cutOff(message.text);
    const asked = (callsOfStep.get(`${message.runId} ${message.step}`) ?? []).toSorted((a, b) => a.index - b.index);
    const isKept = message.text.trim() && (asked.length > 0 || message.status !== 'error');
    const text: Item[] = isKept
      ? [{ kind: 'message', by: 'assistant', text: message.text, ...opaqueOf(message, reader) }]
      : [];
    return [
      ...text,
      ...asked.map((call) => asCall(call, reader)),
      ...asked.map((call): Item => ({ kind: 'result', callId: call.modelCallId, text: resultText(call) })),
    ];
  }
}

/** Of all runs: what a model thought counts only after the very words that it read, and some servers refuse calls without it. */
const opaqueOf = ({ opaque }: Pick<StoredMessage | StoredCall, 'opaque'>, { maker }: Reader) =>
  opaque && opaque.maker === maker ? { opaque: opaque.data } : {};

/** A message stands right before the reply that took it up. */
export const placeOf = ({ seq, readBySeq }: StoredMessage): number => (readBySeq === undefined ? seq : readBySeq - 0.5);

/** As the model reads them: what was queued comes after what was said until the run had ended. */
export const inReadingOrder = <Row extends StoredMessage>(messages: Row[]): Row[] =>
  messages.toSorted((a, b) => placeOf(a) - placeOf(b) || a.seq - b.seq);

/** What a step recalled stands before what it said, so that the model finds it there ever after. */
export const recalledNote = (recalled: string | undefined): Item[] => (recalled ? [note(recalled)] : []);

const cutOff = (text: string): Item[] =>
  text.trim() ? [{ kind: 'message', by: 'assistant', text: `${text.trim()} [cut off here]` }] : [];

/** Not every server takes a system message after the first place: notes go in as the user's turn, and say what they are. */
const note = (text: string): Item => ({
  kind: 'message',
  by: 'user',
  text: `[A note from the system, not from the user] ${text}`,
});

function asCall(call: CallWithResult, reader: Reader): Item {
  // A name that the model made up may hold what its own server refuses to read back.
  const tool = call.tool.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
  const text = JSON.stringify(call.arguments ?? {});
  return { kind: 'call', id: call.modelCallId, tool, arguments: text, ...opaqueOf(call, reader) };
}

/** A call's result as text. What is no result says so, and says what is known. */
export function resultText(call: CallWithResult): string {
  const text = outcomeText(call);
  const approved = JSON.stringify(call.arguments);
  return call.edited ? `[The approver changed the arguments. What was approved and done: ${approved}] ${text}` : text;
}

function outcomeText(call: CallWithResult): string {
  switch (call.status) {
    case 'completed': {
      const result = call.wholeResult ?? call.result;
      const text = typeof result === 'string' ? result : JSON.stringify(result);
      return call.undoError ? `${text} [It was to be undone later, which failed: ${call.undoError}]` : text;
    }
    case 'failed':
    case 'unknown':
    case 'cancelled':
      return `${{ failed: 'Error', unknown: 'Outcome unknown', cancelled: 'Cancelled' }[call.status]}: ${call.error ?? 'no reason is known.'}`;
    case 'undone':
      return 'This was done and has been undone since.';
    default:
      return 'This was not finished: the run ended before it.';
  }
}
