import type { Outcome } from '../execution/execution';
import type { HistoryEvent } from '../execution/history';
import { type Archive, type Archived, machineOf, type Summary, summaryOf } from './archive';
import type { Entry } from './entry';
import { EntryGone, type ExecutionReader } from './journal/reader';

/** An execution as a reader sees it, wherever it lies. */
export interface ExecutionView {
  readonly summary: Summary;
  /** JSON text. */
  input(): Promise<string>;
  /** Undefined while it runs. */
  outcome(): Promise<Outcome | undefined>;
  events(): Promise<readonly HistoryEvent[]>;
}

/** An execution in memory, which may move to the archive at any time. */
export function viewOf(reader: ExecutionReader, entry: Entry, archive: Archive | undefined): ExecutionView {
  const summary = summaryOf(entry);
  async function either<T>(here: Promise<T>, there: (archived: ExecutionView) => Promise<T>): Promise<T> {
    try {
      return await here;
    } catch (error) {
      const archived = error instanceof EntryGone ? await archive?.get(machineOf(summary), summary.name) : undefined;
      if (archived === undefined) throw error;
      return there(archivedView(archived));
    }
  }
  return {
    get summary() {
      return summaryOf(entry);
    },
    input: () =>
      either(
        reader.startBody(entry).then(({ input }) => input),
        (archived) => archived.input(),
      ),
    outcome: () => either(reader.outcome(entry), (archived) => archived.outcome()),
    events: () =>
      either(
        reader.history(entry).then(({ events }) => events),
        (archived) => archived.events(),
      ),
  };
}

export const archivedView = ({ summary, input, outcome, events }: Archived): ExecutionView => ({
  summary,
  input: async () => input,
  outcome: async () => outcome,
  events: async () => events,
});
