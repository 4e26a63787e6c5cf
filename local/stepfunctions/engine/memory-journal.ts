import type { Journal } from './journal';
import type { DecodedRecord } from './record';

/** The journal of an engine without a folder: forgets everything when its process ends. */
export function memoryJournal(): Journal {
  const records: DecodedRecord[] = [];
  return {
    append: (record) => records.push({ ...record, size: 0 }) - 1,
    afterCommit: (then) => then(),
    read: (position) => records[position]!,
    committed: async () => {},
    close: async () => {},
  };
}
