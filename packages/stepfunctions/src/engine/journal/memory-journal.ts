import type { Journal } from './journal';
import type { JournalRecord } from './record';

/** The journal of an engine without a folder: forgets everything when its process ends. */
export interface MemoryJournal extends Journal {
  /** Drops the record at the position and those that it follows. */
  forget(last: number): void;
}

export function memoryJournal(): MemoryJournal {
  const records = new Map<number, JournalRecord>();
  let end = 0;
  return {
    recover() {},
    append(record) {
      const position = end;
      records.set(position, record);
      end += 1;
      return position;
    },
    afterCommit: (then) => then(),
    read: (position) => records.get(position)!,
    isCommitted: () => true,
    committed: async () => {},
    onFailure: () => () => {},
    close: async () => records.clear(),
    forget(last) {
      for (let position = last; position >= 0; ) {
        const { previous } = records.get(position)!;
        records.delete(position);
        position = previous;
      }
    },
  };
}
