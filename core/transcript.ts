import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Agent } from './agent';
import type { StoredCall, StoredMessage } from './store/rows';

/** A call together with its whole result, when it has one. */
export type CallWithResult = StoredCall & { wholeResult?: unknown };

/**
 * The conversation as the model's server takes it, in the order of the log. Each tool call is followed by exactly one
 * result, whatever became of it: without that no server accepts a transcript.
 *
 * A summary stands for the messages that it covers. What no model call has taken up yet is left to the one that does.
 *
 * @param before only messages with a smaller sequence number: what a model call has seen is fixed when it begins.
 */
export function transcript(
  agent: Agent,
  messages: StoredMessage[],
  calls: CallWithResult[],
  before: number,
): ChatCompletionMessageParam[] {
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
  const earlier = summary
    ? [{ role: 'user' as const, content: note(`What was said before, in short: ${summary.text}`) }]
    : [];
  return [{ role: 'system', content: agent.instructions }, ...earlier, ...said];

  function asSaid(message: StoredMessage): ChatCompletionMessageParam[] {
    if (message.role === 'user') return [{ role: 'user', content: message.text }];
    if (message.role === 'system') return [{ role: 'user', content: note(message.text) }];
    // Cut off: the step was made again, and its calls belong to the message that came of that.
    if (message.status === 'cancelled') return cutOff(message.text);
    const asked = (callsOfStep.get(`${message.runId} ${message.step}`) ?? []).toSorted((a, b) => a.index - b.index);
    if (asked.length === 0) {
      return message.text.trim() && message.status !== 'error' ? [{ role: 'assistant', content: message.text }] : [];
    }
    return [
      { role: 'assistant', content: message.text || null, tool_calls: asked.map(asToolCall) },
      ...asked.map((call) => ({ role: 'tool' as const, tool_call_id: call.modelCallId, content: resultText(call) })),
    ];
  }
}

/** A message stands right before the reply that took it up. */
export const placeOf = ({ seq, heardAt }: StoredMessage): number => (heardAt === undefined ? seq : heardAt - 0.5);

/** As the model reads them: what was queued comes after what was said until the run had ended. */
export const inReadingOrder = <Row extends StoredMessage>(messages: Row[]): Row[] =>
  messages.toSorted((a, b) => placeOf(a) - placeOf(b) || a.seq - b.seq);

/** What a step recalled stands before what it said, so that the model finds it there ever after. */
export const recalledNote = (recalled: string | undefined): ChatCompletionMessageParam[] =>
  recalled ? [{ role: 'user', content: note(recalled) }] : [];

const cutOff = (text: string): ChatCompletionMessageParam[] =>
  text.trim() ? [{ role: 'assistant', content: `${text.trim()} [cut off here]` }] : [];

/** Not every server takes a system message after the first place: notes go in as the user's turn, and say what they are. */
const note = (text: string) => `[A note from the system, not from the user] ${text}`;

function asToolCall(call: CallWithResult) {
  // A name that the model made up may hold what its own server refuses to read back.
  const name = call.tool.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
  const text = JSON.stringify(call.arguments ?? {});
  return { id: call.modelCallId, type: 'function' as const, function: { name, arguments: text } };
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
