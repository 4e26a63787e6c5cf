import type { Journal } from './journal';
import type { DecodedRecord } from './record';

/** The body of an execution's first record. */
export interface StartBody {
  name: string;
  /** The number of the state machine's revision. */
  revision: number;
  /** JSON text. */
  input: string;
  seed: string;
  startedBy?: string;
  versionArn?: string;
  aliasArn?: string;
}

/** An execution's records, first to last. */
export function readChain(journal: Journal, last: number): DecodedRecord[] {
  const records: DecodedRecord[] = [];
  for (let position = last; position >= 0; ) {
    const record = journal.read(position);
    records.push(record);
    position = record.previous;
  }
  return records.reverse();
}
