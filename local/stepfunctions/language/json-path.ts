import { isObject, type Json, type JsonObject, setField } from './json';
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
  | { kind: 'filter'; accepts: (candidate: Json, root: Json) => boolean; scan?: true }
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
    /** What AWS's payload templates, unlike its other paths, take in its place. */
    readonly instead?: Json,
  ) {
    super(message);
  }
}

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
  const last = steps.at(-1);
  if (last?.kind === 'fields') steps[steps.length - 1] = { kind: 'merge', names: last.names };
  return { text, definite: steps.every(({ kind }) => definiteSteps.has(kind)), steps };
}

const definiteSteps = new Set<Step['kind']>(['field', 'index', 'length', 'merge', 'unknown']);

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

/**
 * The value a definite path names, or the array of what an indefinite one finds. Throws PathNotFound, also where an indefinite
 * path leads nowhere before its first step that branches.
 */
export function readPath({ steps, definite }: JsonPath, root: Json): Json {
  if (definite) return readDefinite(steps, root);
  const branching = steps.findIndex(({ kind }) => !definiteSteps.has(kind));
  let found = [branching === 0 ? root : readDefinite(steps.slice(0, branching), root, true)];
  for (const [i, step] of steps.slice(branching).entries()) {
    // An index beyond an array's end selects null, which is lost unless the path ends there.
    const select = branching + i === steps.length - 1 ? lastChildren : children;
    found = found.flatMap((value) => select(step, value, root));
  }
  return found;
}

function lastChildren(step: Step, value: Json, root: Json): Json[] {
  if (!Array.isArray(value) || (step.kind !== 'index' && step.kind !== 'indexes')) return children(step, value, root);
  return (step.kind === 'index' ? [step.index] : step.indexes).map((index) => value.at(index) ?? null);
}

/** @param goesOn the path branches after these steps */
function readDefinite(steps: readonly Step[], root: Json, goesOn = false): Json {
  let value: Json = root;
  for (let i = 0; i < steps.length; i += 1) {
    const [next] = children(steps[i]!, value, root);
    if (next === undefined) {
      const sofar = canonical(steps.slice(0, i + 1));
      if (goesOn) throw new PathNotFound(`Missing property in path $${sofar}`, []);
      if (i < steps.length - 1) throw new PathNotFound(`Missing property in path $${sofar}`);
      const beyondEnd = Array.isArray(value) && steps[i]!.kind === 'index';
      throw new PathNotFound(`No results for path: $${sofar}`, beyondEnd ? null : undefined);
    }
    value = next;
  }
  return value;
}

const canonical = (steps: readonly Step[]) =>
  steps
    .map((step) => (step.kind === 'field' ? `['${step.name}']` : step.kind === 'index' ? `[${step.index}]` : ''))
    .join('');

const own = (value: Json, name: string): Json[] =>
  isObject(value) && Object.hasOwn(value, name) ? [value[name]!] : [];
const item = (value: Json, index: number): Json[] => {
  const found = Array.isArray(value) ? value.at(index) : undefined;
  return found === undefined ? [] : [found];
};
const members = (value: Json): Json[] => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []);

/** What one step of a path selects below one value. */
function children(step: Step, value: Json, root: Json): Json[] {
  switch (step.kind) {
    case 'field':
      return own(value, step.name);
    case 'index':
      return item(value, step.index);
    case 'fields':
      return step.names.flatMap((name) => own(value, name));
    case 'merge':
      return isObject(value) ? [picked(value, step.names)] : [];
    case 'indexes':
      return step.indexes.flatMap((index) => item(value, index));
    case 'slice':
      return Array.isArray(value) ? sliced(value, step) : [];
    case 'wildcard':
      return members(value);
    case 'descend':
      return descendants(value);
    case 'filter':
      return candidates(step, value).filter((each) => step.accepts(each, root));
    case 'unknown':
      return [];
    case 'length':
      return Array.isArray(value) ? [value.length] : isObject(value) ? [Object.keys(value).length] : [];
  }
}

function candidates({ scan }: { scan?: true }, value: Json): Json[] {
  if (isObject(value)) return [value];
  return Array.isArray(value) && !scan ? value : [];
}

function picked(value: JsonObject, names: readonly string[]): JsonObject {
  const result: JsonObject = {};
  for (const name of names) if (Object.hasOwn(value, name)) setField(result, name, value[name]!);
  return result;
}

/** Between two numbers the dialect counts up, and only then takes negative ones from the end: `[1:-1]` is nothing. */
function sliced(value: Json[], { from, to }: { from: number | undefined; to: number | undefined }): Json[] {
  if (from === undefined || to === undefined) return value.slice(from, to);
  const indexes = Array.from({ length: Math.max(0, Math.min(to, value.length) - from) }, (_, i) => from + i);
  return indexes.flatMap((index) => item(value, index));
}

function descendants(value: Json): Json[] {
  return [value, ...members(value).flatMap(descendants)];
}
