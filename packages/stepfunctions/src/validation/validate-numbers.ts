import { isObject, type JsonObject } from '../language/json';
import { isQuery } from '../language/jsonata/jsonata-template';
import { isReference } from './paths';
import { type Checking, isJsonata } from './validate';

interface Bounds {
  least: number;
  most?: number;
  /** It may have a fraction. */
  float?: true;
}

/** Least and most of the numbers that states have. Expressions are checked elsewhere. */
const ofState: Record<string, Bounds> = {
  Seconds: { least: 0, most: 99_999_999 },
  TimeoutSeconds: { least: 1, most: 99_999_999 },
  HeartbeatSeconds: { least: 1, most: 99_999_999 },
  MaxConcurrency: { least: 0 },
  ToleratedFailureCount: { least: 0 },
  ToleratedFailurePercentage: { least: 0, most: 100, float: true },
};
export const ofMachine: Record<string, Bounds> = { TimeoutSeconds: { least: 1, most: 99_999_999 } };
const ofBatcher: Record<string, Bounds> = { MaxItemsPerBatch: { least: 0 }, MaxInputBytesPerBatch: { least: 0 } };
const ofReader: Record<string, Bounds> = { MaxItems: { least: 0, most: 100_000_000 } };
export const ofRetrier: Record<string, Bounds> = {
  IntervalSeconds: { least: 1, most: 99_999_999 },
  MaxAttempts: { least: 0, most: 99_999_999 },
  BackoffRate: { least: 1, float: true },
  MaxDelaySeconds: { least: 1, most: 31_622_400 },
};

/** The paths to numbers that have to be reference paths into the input or a variable. */
const referencePaths = new Set(
  ['MaxConcurrency', 'ToleratedFailureCount', 'ToleratedFailurePercentage']
    .concat(Object.keys(ofBatcher), Object.keys(ofReader))
    .map((field) => `${field}Path`),
);

export function checkNumbers(checking: Checking, state: JsonObject, at: string): void {
  const { report } = checking;
  const queries = isJsonata(checking, state);
  checkBounds(report, state, ofState, at, queries);
  const { ItemBatcher, ItemReader, TimeoutSeconds, HeartbeatSeconds } = state;
  if (isObject(ItemBatcher)) checkBounds(report, ItemBatcher, ofBatcher, `${at}/ItemBatcher`, queries);
  if (isObject(ItemReader) && isObject(ItemReader.ReaderConfig))
    checkBounds(report, ItemReader.ReaderConfig, ofReader, `${at}/ItemReader/ReaderConfig`, queries);
  if (
    typeof TimeoutSeconds === 'number' &&
    typeof HeartbeatSeconds === 'number' &&
    HeartbeatSeconds >= TimeoutSeconds
  ) {
    report('HeartbeatSeconds must be smaller than TimeoutSeconds', `${at}/HeartbeatSeconds`);
  }
}

/**
 * Checks the numbers that stand in the fields, and that each is given once: itself, or by its path.
 * @param queries whether expressions may stand for numbers: in JSONata, but not in retriers
 */
export function checkBounds(
  report: Checking['report'],
  fields: JsonObject,
  bounds: Record<string, Bounds>,
  at: string,
  queries = false,
): void {
  for (const [field, { least, most, float }] of Object.entries(bounds)) {
    const value = fields[field];
    const path = fields[`${field}Path`];
    // A wait of no seconds has its own message.
    if (value !== undefined && path !== undefined && field !== 'Seconds')
      report(`There should only be one of the following fields: [${field}, ${field}Path]`, at);
    if (typeof path === 'string' && referencePaths.has(`${field}Path`) && !isReference(path))
      report('Value is not a Reference Path', `${at}/${field}Path`);
    if (value === undefined || (queries && typeof value === 'string' && isQuery(value))) continue;
    const said = (limit: number) => (float ? limit.toFixed(1) : String(limit));
    if (typeof value !== 'number' || !(float || Number.isInteger(value)))
      report(`Expected value of type [${float ? 'NUMBER' : 'INTEGER'}]`, `${at}/${field}`);
    else if (value < least) report(`Minimum value is ${said(least)}`, `${at}/${field}`);
    else if (most !== undefined && value > most) report(`Maximum value is ${said(most)}`, `${at}/${field}`);
  }
}
