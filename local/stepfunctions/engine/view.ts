import type { Outcome } from '../interpreter/execution';
import type { HistoryEvent } from '../interpreter/history';
import { type Archived, type Summary, summaryOf } from './archive';
import type { Entry } from './entry';
import type { ExecutionReader } from './reader';

/** An execution as a reader sees it, wherever it lies. */
export interface ExecutionView {
  readonly summary: Summary;
  /** JSON text. */
  input(): Promise<string>;
  /** Undefined while it runs. */
  outcome(): Promise<Outcome | undefined>;
  events(): Promise<HistoryEvent[]>;
}

export const viewOf = (reader: ExecutionReader, entry: Entry): ExecutionView => ({
  get summary() {
    return summaryOf(entry);
  },
  input: async () => (await reader.startBody(entry)).input,
  outcome: () => reader.outcome(entry),
  events: async () => (await reader.history(entry)).events,
});

export const archivedView = ({ summary, input, outcome, events }: Archived): ExecutionView => ({
  summary,
  input: async () => input,
  outcome: async () => outcome,
  events: async () => events,
});
