import type { Input } from '../interpreter/apply';
import { type JsonObject, jsonText, parseJson } from '../language/json';
import type { Stops } from '../language/jsonata/evaluator';
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
  /** The evaluations of its start that were stopped. */
  stopped?: Stops;
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
  /** The number of its status events that had been taken. */
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

/** Returns the data that an execution was started with, from its first record. */
export function startBodyOf({ kind, body }: { kind: RecordKind; body: string }): StartBody {
  return JSON.parse(kind === 'image' ? (JSON.parse(body) as ImageBody).happenings[0]![3] : body) as StartBody;
}

export function imageOf(journal: Journal, { last, told }: Entry): string {
  return JSON.stringify({ told, happenings: readChain(journal, last) } satisfies ImageBody);
}

/** Returns a record's input, with which its transition is made again. */
export function inputOf(kind: RecordKind, body: string): Input {
  return { kind, stopped: {}, ...(body !== '' && (parseJson(body) as JsonObject)) } as Input;
}

/** Returns the data that an execution was started with, to make its start again. */
export const startAgain = (body: string): StartBody => ({ stopped: {}, ...(JSON.parse(body) as StartBody) });

/** The input without its kind, which stands in the record's header. */
export function bodyOf({ kind, ...rest }: Input, stopped: Stops | undefined): string {
  if (stopped !== undefined || rest.deleted) return jsonText({ ...rest, stopped });
  return kind === 'alarm' || kind === 'redrive' ? '' : jsonText(rest);
}
