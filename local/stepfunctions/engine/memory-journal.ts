import type { Journal } from './journal';
import type { JournalRecord } from './record';

/** The journal of an engine without a folder: forgets everything when its process ends. */
export function memoryJournal(): Journal {
  const records: JournalRecord[] = [];
  return {
    recover() {},
    append: (record) => records.push(record) - 1,
    afterCommit: (then) => then(),
    read: (position) => records[position]!,
    committed: async () => {},
    close: async () => {},
  };
}
