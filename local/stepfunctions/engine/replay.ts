import type { Input } from '../interpreter/apply';
import type { Entry } from './entry';
import type { Journal } from './journal/journal';
import type { RecordKind } from './journal/record';

/** The body of an execution's first record. */
export interface StartBody {
  name: string;
  /** The number of the state machine's revision. */
  revision: number;
  /** JSON text. */
  input: string;
  seed: string;
  waitScale?: number;
  /** The test case of the mock configuration that it runs. */
  testCase?: string;
  startedBy?: string;
  versionArn?: string;
  aliasArn?: string;
}

/** One thing that happened to an execution: what it was, when, the last event it led to, and its details as JSON text. */
export type Happening = [kind: Input['kind'] | 'start', time: number, lastEvent: number, body: string];

/** All that happened to an execution up to some time, in one record. */
export interface ImageBody {
  /** How many of its status events had been taken. */
  told: number;
  happenings: Happening[];
}

/** Everything that happened to an execution, from its start. */
export function readChain(journal: Journal, last: number): [Happening, ...Happening[]] {
  const found: Happening[] = [];
  for (let position = last; position >= 0; ) {
    const record = journal.read(position);
    if (record.kind === 'image') {
      const { happenings } = JSON.parse(record.body) as ImageBody;
      return [...happenings, ...found.reverse()] as [Happening, ...Happening[]];
    }
    found.push([record.kind as Happening[0], record.time, record.lastEvent, record.body]);
    position = record.previous;
  }
  return found.reverse() as [Happening, ...Happening[]];
}

/** What an execution was started with, out of its first record. */
export function startBodyOf({ kind, body }: { kind: RecordKind; body: string }): StartBody {
  return JSON.parse(kind === 'image' ? (JSON.parse(body) as ImageBody).happenings[0]![3] : body) as StartBody;
}

export function imageOf(journal: Journal, { last, told }: Entry): string {
  return JSON.stringify({ told, happenings: readChain(journal, last) } satisfies ImageBody);
}

export function inputOf(kind: RecordKind, body: string): Input {
  return (body === '' ? { kind } : { kind, ...JSON.parse(body) }) as Input;
}

/** The input without its kind, which stands in the record's header. */
export function bodyOf(input: Input): string {
  if (input.kind === 'alarm' || input.kind === 'redrive') return '';
  const { kind, ...rest } = input;
  return JSON.stringify(rest);
}
