import type { Callback, Conversation, Message } from 'vigil-client';
import { asksFor, type Call } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { rowStatus } from '../panel/row-status';
import { closedWords, decisionWords } from '../rows/call-state';
import { brief, waitKindOf } from '../rows/wait-kinds';
import { plain } from '../words/words';

export type Rows = Pick<Conversation, 'messages' | 'calls' | 'callbacks'>;

/** A time at which something in a run changed, and what. Everything of one millisecond is one moment. */
export interface Moment {
  at: string;
  /** The last step that had begun. */
  step: number;
  /** The place of the moment within its step, from 1. */
  nth: number;
  what: string[];
}

interface Happening {
  at: string;
  words: string;
  /** A step that begins. */
  begins?: number;
}

/** A reply's row: what a step wrote. */
export const isReply = ({ step, role, callId, covers }: Message): boolean =>
  step !== undefined && callId === undefined && (role === 'assistant' || covers !== undefined);

/** Returns the moments of a run, from its first model call on, in order. */
export function momentsOf({ messages, calls, callbacks }: Rows, runId: string): Moment[] {
  const replies = messages.filter((one) => one.runId === runId && isReply(one));
  const first = replies[0]?.createdAt;
  if (!first) return [];
  const own = new Set(replies.map(({ seq }) => seq));
  const ofRun = calls.filter((call) => call.runId === runId);
  const stored = storedAt({ messages, calls });
  const told = messages.filter(
    (one) => !own.has(one.seq) && (one.runId === runId || own.has(one.readBySeq ?? 0)) && one.createdAt >= first,
  );
  const happened = [
    ...replies.flatMap(inReply),
    ...ofRun.flatMap((call) =>
      from(stored(call), [{ at: call.createdAt, words: t('{tool}: asked for', { tool: plain(call.tool) }) }]),
    ),
    ...callbacks.filter((one) => one.runId === runId).flatMap((one) => from(stored(one), inCallback(one, ofRun))),
    ...ofRun.flatMap((call) => from(stored(call), inCall(call))),
    ...told.map(({ createdAt: at, role, author }) => ({ at, words: role === 'user' ? t('A message') : plain(author) })),
  ].filter(({ at }) => at >= first);
  return grouped(happened.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))));
}

/** Moves what happened before its row was stored to the time when it was stored. */
const from = (stored: string, happened: readonly Happening[]): Happening[] =>
  happened.map((one) => (one.at < stored ? { ...one, at: stored } : one));

/**
 * Returns the function that says since when a call or a callback is there. Those of a reply are stored with it, and their own
 * times are a little earlier. Rows from before callbacks had a time were created with their call.
 */
export function storedAt({ messages, calls }: Pick<Rows, 'messages' | 'calls'>): (row: Call | Callback) => string {
  const stepOf = (runId: string | undefined, step: number | undefined) => `${runId} ${step}`;
  const ends = new Map(messages.filter(isReply).map((one) => [stepOf(one.runId, one.step), one.completedAt]));
  const callOf = new Map(calls.map((one) => [one.id, one]));
  return (row) => {
    const call = 'step' in row ? row : callOf.get(row.callId ?? '');
    // The id of an agent's own question names its step: `<run>.<step>.question`.
    const step = call?.step ?? Number(row.id.split('.')[1] ?? Number.NaN);
    const created = row.createdAt ?? call?.createdAt ?? '';
    const end = ends.get(stepOf(row.runId, step)) ?? '';
    return created < end ? end : created;
  };
}

function grouped(happened: readonly Happening[]): Moment[] {
  const moments: Moment[] = [];
  let step = 0;
  for (const { at, words, begins = 0 } of happened) {
    step = Math.max(step, begins);
    const last = moments.at(-1);
    if (last?.at === at) {
      // A step that begins in the same millisecond begins with this moment.
      if (last.step < step) [last.step, last.nth] = [step, 1];
      last.what.push(words);
    } else moments.push({ at, step, nth: last?.step === step ? last.nth + 1 : 1, what: [words] });
  }
  return moments;
}

function inReply({ createdAt, completedAt, status, step, covers, failedAttempts = [] }: Message): Happening[] {
  const ended = endOf(status, covers !== undefined);
  return [
    { at: createdAt, words: t('The model is asked'), begins: step },
    ...failedAttempts.flatMap(({ attempt, endedAt }) =>
      endedAt ? [{ at: endedAt, words: t('Attempt {attempt} to reach the model failed', { attempt }) }] : [],
    ),
    ...(completedAt && ended ? [{ at: completedAt, words: ended }] : []),
  ];
}

function endOf(status: Message['status'], isSummary: boolean): string | undefined {
  switch (status) {
    case 'complete':
      return isSummary ? t('A summary') : t('The model has replied');
    case 'cancelled':
      return t('The reply was cut off');
    case 'error':
      return t('The reply was interrupted');
    default:
      return undefined;
  }
}

function inCall(call: Call): Happening[] {
  const { status, startedAt, completedAt, undoneAt, failedAttempts = [], failedUndos = [] } = call;
  const tool = plain(call.tool);
  const outcome = status === 'undone' ? (call.result === undefined ? 'unknown' : 'completed') : status;
  return [
    ...(startedAt ? [{ at: startedAt, words: t('{tool}: begins', { tool }) }] : []),
    ...failedAttempts.flatMap(({ attempt, startedAt: from, endedAt }) => [
      ...(from && from !== startedAt
        ? [{ at: from, words: t('{tool}: attempt {attempt} begins', { tool, attempt }) }]
        : []),
      ...(endedAt ? [{ at: endedAt, words: t('{tool}: attempt {attempt} failed', { tool, attempt }) }] : []),
    ]),
    ...(completedAt ? [{ at: completedAt, words: `${tool}: ${rowStatus(outcome)}` }] : []),
    ...failedUndos.flatMap(({ endedAt }) =>
      endedAt ? [{ at: endedAt, words: t('{tool}: undoing failed', { tool }) }] : [],
    ),
    ...(undoneAt ? [{ at: undoneAt, words: t('{tool}: undone', { tool }) }] : []),
  ];
}

function inCallback(callback: Callback, calls: readonly Call[]): Happening[] {
  const { createdAt, closedAt, callId, kind } = callback;
  const call = calls.find(({ id }) => id === callId);
  const named = callback.tool ?? call?.tool;
  const tool = named === undefined ? t('question') : plain(named);
  const asked = waitKindOf(callback).begins(callback, tool);
  if (asked === undefined) return [];
  const decision = asksFor(kind, 'decision') ? decisionWords(callback) : undefined;
  const closed = typeof decision === 'string' ? brief(decision) : closedWords(callback);
  return [
    ...(createdAt ? [{ at: createdAt, words: asked }] : []),
    ...(closedAt ? [{ at: closedAt, words: `${tool}: ${closed}` }] : []),
  ];
}

/** Returns the index of a moment by its step and its place there; the nearest one if the log no longer has it. */
export function momentAt(moments: readonly Moment[], step: number, nth = 1): number {
  const exact = moments.findIndex((one) => one.step === step && one.nth === nth);
  if (exact >= 0) return exact;
  const ofStep = moments.findLastIndex((one) => one.step <= step);
  return Math.max(0, ofStep);
}

/** Returns the index of the first moment of the next step, or of the one before; the same index if there is none. */
export function stepFrom(moments: readonly Moment[], index: number, by: 1 | -1): number {
  const { step = 0, nth = 1 } = moments[index] ?? {};
  if (by === -1 && nth > 1) return momentAt(moments, step);
  const steps = [...new Set(moments.map((one) => one.step))];
  const next = steps[steps.indexOf(step) + by];
  if (next !== undefined) return momentAt(moments, next);
  return by === 1 ? moments.length - 1 : 0;
}
