import { isJsonObject } from '../../base/json/json-object';

/** An event of GetExecutionHistory. */
export interface HistoryEvent {
  id?: number;
  previousEventId?: number;
  timestamp?: Date;
  type?: string;
  stateEnteredEventDetails?: { name?: string; input?: string };
  taskFailedEventDetails?: Reason;
  taskTimedOutEventDetails?: Reason;
  taskStartFailedEventDetails?: Reason;
  taskSubmitFailedEventDetails?: Reason;
}

export interface Reason {
  error?: string;
  cause?: string;
}

/** An attempt that failed. */
export interface Failure extends Reason {
  /** The event that says so. */
  id: number;
  at: Date;
}

/** The events of a Task state: its entry, and what follows from it until the next one. */
export type Entry = [entered: HistoryEvent, ...HistoryEvent[]];

/** The ending of the names of states in a Map state that runs several calls at a time. */
export const inParallel = / \(parallel\)$/;

/**
 * Returns whether events, the latest of an execution, tell of every state that is open. At the top one state follows another, so whatever is
 * open was entered with the latest state of the top, or since.
 */
export const tellOfAllOpen = (events: readonly HistoryEvent[]): boolean =>
  events.some(({ type, stateEnteredEventDetails: entered }) =>
    entered ? !inParallel.test(entered.name ?? '') : type === 'ExecutionStarted',
  );

/** Returns what is known of each Task state. Events of parallel calls are told apart by the event that precedes each. */
export function entriesIn(ordered: readonly HistoryEvent[]): Entry[] {
  const entries: Entry[] = [];
  const entryOf = new Map<number, Entry>();
  for (const event of ordered) {
    if (event.type === 'TaskStateEntered') {
      const entry: Entry = [event];
      entries.push(entry);
      entryOf.set(event.id!, entry);
      continue;
    }
    const entry = entryOf.get(event.previousEventId!);
    if (!entry) continue;
    entry.push(event);
    entryOf.set(event.id!, entry);
  }
  return entries;
}

/**
 * Returns whether a Task is at work or is tried again, by the last event that follows from its entry. Any event that is not the Task's own
 * says that the execution is elsewhere: behind a catcher, behind a Map, or at its end. What failed before a redrive is entered again.
 */
export function isOpen(entry: Entry, redriven: number): boolean {
  const { id, type = '' } = entry.at(-1)!;
  return id! > redriven && /^Task(?!StateExited|StateAborted)/.test(type);
}

export function failuresIn(events: readonly HistoryEvent[]): Failure[] {
  return events.flatMap((event) => {
    const reason =
      event.taskFailedEventDetails ??
      event.taskTimedOutEventDetails ??
      event.taskStartFailedEventDetails ??
      event.taskSubmitFailedEventDetails;
    return reason ? [{ id: event.id!, at: event.timestamp!, ...reason }] : [];
  });
}

/** Returns what a state was given or has answered; nothing if it is no JSON object. */
export function fieldsIn(json = '{}'): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
