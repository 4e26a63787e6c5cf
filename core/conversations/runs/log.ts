import { stepPrefix } from '../calls/call';
import { partsByKey, shownResult } from '../calls/result';
import type { CallWithResult } from '../decisions/transcript';
import { callAsHeard, messageAsHeard } from '../guards/heard';
import { key, prefix } from '../rows/keys';
import { parsedAs } from '../rows/readable';
import { StoredCall, StoredMessage } from '../rows/rows';
import { readKind, readRows, type Table } from '../store/table';

/** The messages and calls of a conversation, with full results, as models read them. The transcript is built from it. */
export interface Log {
  messages: StoredMessage[];
  calls: CallWithResult[];
}

/** Identifies a step: its run, its number, and its message's place in the log. */
export interface StepAt {
  conversationId: string;
  runId: string;
  step: number;
  seq: number;
  /** The number of amendments so far. If it has changed, the cache is stale. */
  amendments?: number;
}

/**
 * Reads logs and caches the last few in this process, so a long run does not read its whole log at every step.
 *
 * Cached rows do not change during the run: messages before a step's own are final when the step begins, and the calls of a
 * step are settled before the next one begins. When another run reads the conversation, its log is read again.
 */
export class LogReader {
  private readonly kept = new Map<string, Log & { at: StepAt }>();

  constructor(private readonly table: Table) {}

  async read(at: StepAt): Promise<Log> {
    const before = this.kept.get(at.conversationId);
    const sameWords = before?.at.amendments === at.amendments;
    const goesOn = before && sameWords && before.at.runId === at.runId && before.at.step < at.step;
    const log = goesOn ? await this.readOn(before, at) : await readLog(this.table, at.conversationId);
    this.keep(log, at);
    return log;
  }

  /** Reads the log again at the next step, because rows have changed. */
  forget(conversationId: string): void {
    this.kept.delete(conversationId);
  }

  private async readOn(before: Log & { at: StepAt }, at: StepAt): Promise<Log> {
    const { runId, step, seq } = before.at;
    const { messages, calls } = await readLog(this.table, at.conversationId, {
      call: stepPrefix(runId, step),
      seq,
    });
    return { messages: [...before.messages, ...messages], calls: [...before.calls, ...calls] };
  }

  /**
   * Caches the final messages only: those before the step's own message and before the first unread one. A step whose guards have changed
   * what models read caches the log again.
   */
  keep({ messages, calls }: Log, at: StepAt): void {
    const left = messages.find(({ status }) => status === 'pending')?.seq ?? at.seq;
    const end = Math.min(left, at.seq);
    const final = messages.filter(({ seq }) => seq < end);
    this.kept.delete(at.conversationId);
    this.kept.set(at.conversationId, { messages: final, calls, at: { ...at, seq: end } });
    const [oldest] = this.kept.keys();
    if (this.kept.size > conversationsKept && oldest) this.kept.delete(oldest);
  }
}

const conversationsKept = 8;

/** @param from the first message and the first call to read. */
export async function readLog(table: Table, conversationId: string, from = { call: '', seq: 0 }): Promise<Log> {
  // If the first id names a run, the range ends with that run.
  const last = from.call.split('.')[0]!;
  const [callRows, messageRows] = await Promise.all([
    readKind(table, conversationId, 'call', from.call, last),
    readRows(table, conversationId, key.message(from.seq), `${prefix.message}~`),
  ]);
  const calls = callRows.map((row) => parsedAs(StoredCall, row));
  const messages = messageRows.map((row) => messageAsHeard(parsedAs(StoredMessage, row)));
  if (!calls.some(({ parts }) => parts)) return { messages, calls: calls.map(callAsHeard) };
  const parts = partsByKey(await readKind(table, conversationId, 'part', from.call, last));
  return { messages, calls: calls.map((call) => callAsHeard(withWholeResult(call, parts))) };
}

/** A result that cannot be restored does not take the transcript along. The model reads that the call was made. */
function withWholeResult(call: StoredCall, parts: ReadonlyMap<string, Uint8Array>): CallWithResult {
  if (!call.parts) return call;
  const whole = shownResult(call, parts);
  return { ...call, wholeResult: whole ?? 'This was done. Its stored result cannot be read. Do not do it again.' };
}
