import type { Json } from '../json';
import type { Work } from '../work';
import { parseFilter } from './json-path-filter';

/** A JSONPath as the States Language takes it (the Jayway dialect), parsed once and evaluated often. */
export interface JsonPath {
  readonly text: string;
  /** Definite paths name one value or none; the others always give an array. */
  readonly definite: boolean;
  readonly steps: readonly Step[];
}

export type Step =
  | { kind: 'field'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'fields'; names: string[] }
  /** Several names at the end of a path: one object of those that are there. */
  | { kind: 'merge'; names: string[] }
  | { kind: 'indexes'; indexes: number[] }
  | { kind: 'slice'; from: number | undefined; to: number | undefined }
  | { kind: 'wildcard' }
  | { kind: 'descend' }
  /** `scan`: it follows `..`, which hands it each object once, itself and not as what an array holds. */
  | { kind: 'filter'; accepts: (candidate: Json, root: Json, work: Work) => boolean; scan?: true }
  | { kind: 'length' }
  /** A function that AWS's paths do not have: it can be written, and finds nothing. */
  | { kind: 'unknown' };

/** The path does not parse. The message is for the author of the state machine. */
export class InvalidPath extends Error {
  override readonly name = 'InvalidPath';
}

/** A path leads nowhere. The message is Jayway's, as AWS quotes it. */
export class PathNotFound extends Error {
  override readonly name = 'PathNotFound';
  constructor(
    message: string,
    /** The value that AWS's payload templates, unlike its other paths, take in its place. */
    readonly instead?: Json,
  ) {
    super(message);
  }
}

/** The maximum number of a path's steps, and of a filter's conditions: whatever reads them goes down as deep. */
export const mostParts = 1_000;

/** Parses `$`, `$.a.b`, `$['a'][0]`, `$[1:3]`, `$..a`, `$.a[?(@.b > 1)]` … The root sign may also be `@`. */
export function parseJsonPath(text: string): JsonPath {
  const steps: Step[] = [];
  let at = 1;
  const fail = (): never => {
    throw new InvalidPath(`Invalid path '${text}'`);
  };
  if (text[0] !== '$' && text[0] !== '@') fail();
  while (at < text.length) {
    if (text.startsWith('..', at)) {
      steps.push({ kind: 'descend' });
      at += 2;
      if (text[at] !== '[') readName();
    } else if (text[at] === '.') {
      at += 1;
      if (text[at] !== '[') readName();
    } else if (text[at] === '[') readBracket();
    else fail();
  }
  function readName(): void {
    if (text[at] === '*') {
      at += 1;
      steps.push({ kind: 'wildcard' });
      return;
    }
    const end = /[.[(]|$/.exec(text.slice(at))!.index + at;
    const name = text.slice(at, end);
    if (name === '' || /\s/.test(name)) fail();
    at = end;
    if (text[at] === '(') {
      const end = closing(text, at);
      if (end < 0) fail();
      steps.push({ kind: name === 'length' && end === at + 1 ? 'length' : 'unknown' });
      at = end + 1;
    } else steps.push({ kind: 'field', name });
  }
  function readBracket(): void {
    const end = closing(text, at);
    if (end < 0) fail();
    const inner = text.slice(at + 1, end).trim();
    at = end + 1;
    const step = bracketStep(inner, text);
    steps.push(step.kind === 'filter' && steps.at(-1)?.kind === 'descend' ? { ...step, scan: true } : step);
  }
  if (steps.length > mostParts) fail();
  const last = steps.at(-1);
  if (last?.kind === 'fields') steps[steps.length - 1] = { kind: 'merge', names: last.names };
  return { text, definite: steps.every(({ kind }) => definiteSteps.has(kind)), steps };
}

/** Steps that lead to one value. */
export const definiteSteps = new Set<Step['kind']>(['field', 'index', 'length', 'merge', 'unknown']);

/** The bracket that closes the one at `open`, quotes and nested brackets left aside; -1 without one. */
function closing(text: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let i = open; i < text.length; i += 1) {
    const c = text[i]!;
    if (c === '\\') i += 1;
    else if (quote !== '') quote = c === quote ? '' : quote;
    else if (c === "'" || c === '"') quote = c;
    else if (c === '[' || c === '(') depth += 1;
    else if (c === ']' || c === ')') {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}

const quoted = /^(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:\s*,\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))*$/;

function bracketStep(inner: string, path: string): Step {
  if (inner === '*') return { kind: 'wildcard' };
  if (inner.startsWith('?(') && inner.endsWith(')'))
    return { kind: 'filter', accepts: parseFilter(inner.slice(2, -1), path) };
  if (/^-?\d+$/.test(inner)) return { kind: 'index', index: Number(inner) };
  if (/^-?\d+(\s*,\s*-?\d+)+$/.test(inner)) return { kind: 'indexes', indexes: inner.split(',').map(Number) };
  // The dialect takes a third number and ignores it. It takes no slice without a number.
  const slice = /^(-?\d+)?\s*:\s*(-?\d+)?(?:\s*:\s*(?:-?\d+)?)?$/.exec(inner);
  if (slice && (slice[1] ?? slice[2]) !== undefined) {
    const bound = (text: string | undefined) => (text === undefined ? undefined : Number(text));
    return { kind: 'slice', from: bound(slice[1]), to: bound(slice[2]) };
  }
  if (quoted.test(inner)) {
    const names = [...inner.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map((match) =>
      unescaped(match[1] ?? match[2] ?? ''),
    );
    return names.length === 1 ? { kind: 'field', name: names[0]! } : { kind: 'fields', names };
  }
  throw new InvalidPath(`Invalid path '${path}'`);
}

/** Only a backslash before a single quote or a backslash is none itself. */
const unescaped = (name: string): string => name.replace(/\\(['\\])/g, '$1');
