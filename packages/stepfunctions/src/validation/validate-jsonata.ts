import { isObject, type Json } from '../language/json';
import { parse } from '../language/jsonata/evaluator';
import { expressionSource } from '../language/jsonata/jsonata-template';
import type { Report } from './validate';

/** A node of the parsed expression: a type, a value, and other nodes. */
interface Node {
  type?: string;
  value?: unknown;
  steps?: Node[];
  [part: string]: unknown;
}

/** Fields of `$states` that every expression may read. */
const present = new Set(['input', 'context']);

/** Additional fields of `$states` that an expression may read: `result`, `errorOutput`. */
export type Readable = Partial<Record<string, boolean>>;

/** Reports the expressions in a field's value that do not parse, or read what is not there. */
export function checkQueries(report: Report, value: Json, at: string, readable: Readable): void {
  if (typeof value === 'string') {
    const source = expressionSource(value);
    if (source !== undefined) checkQuery(report, source, at, readable);
    else if (value.startsWith('{%') || value.endsWith('%}'))
      report("A JSONata expression must begin with '{%' and end with '%}'", at, 'INVALID_JSONATA_EXPRESSION');
  } else if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) checkQueries(report, each, `${at}[${i}]`, readable);
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) checkQueries(report, each, `${at}/${key}`, readable);
  }
}

function checkQuery(report: Report, source: string, at: string, readable: Readable): void {
  let ast: Node;
  try {
    ast = parse(source).ast() as unknown as Node;
  } catch (error) {
    report((error as Error).message, at, 'INVALID_JSONATA_EXPRESSION');
    return;
  }
  const problems = new Set<string>();
  for (const name of topLevelNames(ast)) problems.add(`Reference to '${name}' at the top level is not supported.`);
  for (const node of nodes(ast)) {
    if (node.type === 'variable' && node.value === '$') problems.add("Reference to '$$' is not supported.");
    const field = statesField(node);
    if (field !== undefined && !present.has(String(field)) && readable[String(field)] !== true)
      problems.add(`Field '$states.${field}' does not exist.`);
  }
  for (const problem of problems) report(problem, at, 'UNSUPPORTED_JSONATA_EXPRESSION');
}

/** The field in `$states.field`. */
function statesField({ type, steps = [] }: Node): unknown {
  const [root, field] = steps;
  const isStates = type === 'path' && root?.type === 'variable' && root.value === 'states';
  return isStates && field?.type === 'name' ? field.value : undefined;
}

/** The nodes directly inside. */
function* parts(node: Node): Generator<Node> {
  for (const part of Object.values(node))
    if (Array.isArray(part)) yield* (part as unknown[]).flat(2).filter(isNode);
    else if (isNode(part)) yield part;
}

const isNode = (part: unknown): part is Node => typeof part === 'object' && part !== null;

function* nodes(node: Node): Generator<Node> {
  yield node;
  for (const part of parts(node)) yield* nodes(part);
}

/**
 * The names that are looked up in the top-level context, which there is not. Only the first step of a path is: later steps,
 * predicates, sort terms and groups have the value before them, and a lambda's body what its definition has.
 */
function* topLevelNames({ predicate: _, stages: __, group: ___, ...node }: Node): Generator<string> {
  if (node.type === 'name') yield String(node.value);
  else if (node.type === 'variable' && node.value === '') yield '$';
  else if (node.type === 'path') yield* topLevelNames(node.steps![0]!);
  else if (node.type !== 'transform') for (const part of parts(node)) yield* topLevelNames(part);
}
