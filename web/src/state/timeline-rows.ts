import type { Call, Callback, Message } from '../../../core/schemas';
import type { TimelineEntry, TimelineRun } from '../../../core/timeline';
import { handedTo } from './call-state';
import type { Stretch } from './time-scale';

/** A bar of an entry: an approved call has waited for the decision before it ran. */
export interface Bar extends Stretch {
  kind: TimelineEntry['kind'];
  /** It goes on, or is still to come. */
  open: boolean;
}

/** An entry of the timeline as it is drawn, with the rows that it is about. */
export interface TimelineRow {
  key: string;
  entry: TimelineEntry;
  label: string;
  bars: Bar[];
  /** Unknown of what broke off and has not said when. */
  tookMs?: number;
  message?: Message;
  call?: Call;
  callback?: Callback;
}

interface Rows {
  messages: readonly Message[];
  calls: readonly Call[];
  callbacks: readonly Callback[];
}

export function timelineRows(run: TimelineRun, { messages, calls, callbacks }: Rows, now: number): TimelineRow[] {
  const end = run.endedAt ? Date.parse(run.endedAt) : now;
  return run.entries.map((given, index) => {
    const entry = answeredAt(given, run.entries[index + 1]);
    const message = entry.kind === 'model' ? messages.find(({ seq }) => String(seq) === entry.id) : undefined;
    const call = calls.find(({ id }) => id === entry.id);
    const callback = callbacks.find(({ id }) => id === (call?.callbackId ?? entry.id));
    const bars = barsOf(entry, { call, callback }, Math.max(end, Date.parse(entry.startedAt)), Boolean(run.endedAt));
    const isTimed = entry.endedAt !== undefined || bars.some(({ open }) => open);
    const tookMs = isTimed ? Math.max(0, Math.min(bars.at(-1)!.to, end) - bars[0]!.from) : undefined;
    const label = labelOf(entry, message, callback);
    return {
      key: `${entry.kind} ${entry.id}`,
      entry,
      label,
      bars,
      tookMs,
      message,
      call,
      callback,
    };
  });
}

/** A question's entry does not say when it was answered: what came next began then. */
const answeredAt = (entry: TimelineEntry, next: TimelineEntry | undefined): TimelineEntry =>
  entry.kind === 'callback' && entry.status === 'answered' && !entry.endedAt && next
    ? { ...entry, endedAt: next.startedAt }
    : entry;

interface Of {
  call?: Call;
  callback?: Callback;
}

function barsOf(entry: TimelineEntry, { call, callback }: Of, end: number, over: boolean): Bar[] {
  const { kind, status } = entry;
  const from = Date.parse(entry.startedAt);
  const open = !entry.endedAt && !over && isOpen(status);
  // A sleeper's wake-up is on the line, though it is still to come.
  const until = open && kind === 'wait' && call?.until ? Date.parse(call.until) : 0;
  const to = entry.endedAt ? Date.parse(entry.endedAt) : open ? Math.max(end, until) : from;
  const works = kind !== 'wait' && kind !== 'callback';
  const asked = call && Date.parse(call.createdAt);
  if (callback?.kind !== 'approval' || !call?.startedAt || asked === undefined || asked >= from)
    return [{ kind, from, to: Math.max(from, to), open, works }];
  return [
    { kind: 'callback', from: asked, to: from, open: false, works: false },
    { kind: 'tool', from, to: Math.max(from, to), open, works: true },
  ];
}

const settled = ['complete', 'completed', 'failed', 'error', 'cancelled', 'unknown', 'undone', 'answered', 'expired'];
const isOpen = (status: string): boolean => !settled.includes(status);

function labelOf({ kind, name }: TimelineEntry, message: Message | undefined, callback: Callback | undefined): string {
  if (kind === 'model') return message?.covers === undefined ? `Model · ${name}` : 'Model · a summary';
  if (kind === 'hand-off') return `To ${handedTo(name) ?? name}`;
  if (name === 'question' && callback?.callId === undefined) return 'Asks you';
  return name;
}
