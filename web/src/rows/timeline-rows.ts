import type { Callback, Conversation, Message } from 'vigil-client';
import { asksFor, type Call, type TimelineEntry, type TimelineRun } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { handedTo } from './call-state';
import type { Stretch } from './time-scale';

/** A bar of an entry. An approved call has two: the wait for the decision, and the execution. */
export interface Bar extends Stretch {
  kind: TimelineEntry['kind'];
  /** It is in progress, or still to come. */
  open: boolean;
  /** An attempt that failed. */
  failed?: true;
}

/** An entry of the timeline as it is drawn, with its rows. */
export interface TimelineRow {
  key: string;
  entry: TimelineEntry;
  label: string;
  bars: Bar[];
  /** Undefined for an entry that was interrupted and has no end. */
  tookMs?: number;
  message?: Message;
  call?: Call;
  callback?: Callback;
}

/** A conversation's rows, by the ids that a timeline uses. */
export interface RowsById {
  /** By seq. */
  messages: ReadonlyMap<string, Message>;
  calls: ReadonlyMap<string, Call>;
  callbacks: ReadonlyMap<string, Callback>;
}

export const rowsById = ({
  messages,
  calls,
  callbacks,
}: Pick<Conversation, 'messages' | 'calls' | 'callbacks'>): RowsById => ({
  messages: new Map(messages.map((one) => [String(one.seq), one])),
  calls: new Map(calls.map((one) => [one.id, one])),
  callbacks: new Map(callbacks.map((one) => [one.id, one])),
});

/** Returns the last `atMost` entries of a run. */
export function timelineRows(
  run: TimelineRun,
  { messages, calls, callbacks }: RowsById,
  now: number,
  atMost = Number.POSITIVE_INFINITY,
): TimelineRow[] {
  const end = run.endedAt ? Date.parse(run.endedAt) : now;
  const from = Math.max(0, run.entries.length - atMost);
  return run.entries.slice(from).map((given, index) => {
    const entry = answeredAt(given, run.entries[from + index + 1]);
    const message = entry.kind === 'model' ? messages.get(entry.id) : undefined;
    const call = calls.get(entry.id);
    const callback = callbacks.get(call?.callbackId ?? entry.id);
    const bars = barsOf(entry, { call, callback }, Math.max(end, Date.parse(entry.startedAt)), Boolean(run.endedAt));
    const isTimed = entry.endedAt !== undefined || bars.some(({ open }) => open);
    const tookMs = isTimed ? Math.max(0, Math.min(bars.at(-1)!.to, end) - bars[0]!.from) : undefined;
    const label = labelOf(entry, message, callback);
    return {
      key: `${entry.kind} ${entry.id}`,
      entry,
      label,
      bars: [...bars, ...failedBars(entry)],
      tookMs,
      message,
      call,
      callback,
    };
  });
}

/** The entry of a question does not say when it was answered. The next entry began at that time. */
const answeredAt = (entry: TimelineEntry, next: TimelineEntry | undefined): TimelineEntry =>
  entry.kind === 'callback' && entry.status === 'answered' && !entry.endedAt && next
    ? { ...entry, endedAt: next.startedAt }
    : entry;

/** The attempts that failed, over the bar of the entry. */
const failedBars = ({ kind, failedAttempts = [] }: TimelineEntry): Bar[] =>
  failedAttempts.flatMap(({ startedAt, endedAt }) => {
    if (!startedAt) return [];
    const from = Date.parse(startedAt);
    const to = endedAt ? Date.parse(endedAt) : from;
    return [{ kind, from, to, open: false, works: true, failed: true }];
  });

interface Of {
  call?: Call;
  callback?: Callback;
}

function barsOf(entry: TimelineEntry, { call, callback }: Of, end: number, over: boolean): Bar[] {
  const { kind, status } = entry;
  const from = Date.parse(entry.startedAt);
  const open = !entry.endedAt && !over && isOpen(status);
  // The planned wake-up of a sleeping run is on the line.
  const until = open && kind === 'wait' && call?.until ? Date.parse(call.until) : 0;
  const to = entry.endedAt ? Date.parse(entry.endedAt) : open ? Math.max(end, until) : from;
  const works = kind !== 'wait' && kind !== 'callback';
  const asked = call && Date.parse(call.createdAt);
  if (!asksFor(callback?.kind, 'decision') || !call?.startedAt || asked === undefined || asked >= from)
    return [{ kind, from, to: Math.max(from, to), open, works }];
  return [
    { kind: 'callback', from: asked, to: from, open: false, works: false },
    { kind: 'tool', from, to: Math.max(from, to), open, works: true },
  ];
}

const settled = ['complete', 'completed', 'failed', 'error', 'cancelled', 'unknown', 'undone', 'answered', 'expired'];
/** An undo that failed for good has ended, too. */
const isOpen = (status: string): boolean => !settled.includes(status) && status !== 'not undone';

function labelOf({ kind, name }: TimelineEntry, message: Message | undefined, callback: Callback | undefined): string {
  if (kind === 'model') return message?.covers === undefined ? t('Model · {name}', { name }) : t('Model · a summary');
  if (kind === 'undo') return t('Undo {name}', { name });
  if (kind === 'hand-off') return t('To {agent}', { agent: handedTo(name) ?? name });
  if (name === 'question' && callback?.callId === undefined) return t('Asks you');
  return name;
}
