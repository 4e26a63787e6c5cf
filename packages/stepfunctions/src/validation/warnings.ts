import { isIntrinsic } from '../language/intrinsics/intrinsic';
import { isObject, type Json, type JsonObject } from '../language/json';
import { isPath } from './paths';
import type { Diagnostic } from './validate';

type Warn = (code: keyof typeof messages, location: string) => void;

/** The warnings that the API's documentation lists, in its words. */
const messages = {
  NO_DOLLAR: 'No .$ on a field that appears to be a JSONPath or Intrinsic Function.',
  NO_PATH: "Field value looks like a path, but field name does not end with 'Path'.",
  PASS_RESULT_IS_STATIC: 'Attempt to use a path in the result of a pass state.',
};

/** Returns warnings about what is allowed in a valid definition, and probably not meant: paths that are taken as they are. */
export function warningsOf(definition: JsonObject): Diagnostic[] {
  const found: Diagnostic[] = [];
  const warn: Warn = (code, location) => found.push({ severity: 'WARNING', code, message: messages[code], location });
  if (definition.QueryLanguage !== 'JSONata') checkStates(warn, definition, '');
  return found;
}

function checkStates(warn: Warn, block: JsonObject, at: string): void {
  for (const [name, state] of Object.entries(isObject(block.States) ? block.States : {})) {
    if (!isObject(state)) continue;
    const path = `${at}/States/${name}`;
    if (state.QueryLanguage !== 'JSONata') checkState(warn, state, path);
    for (const field of ['ItemProcessor', 'Iterator'])
      if (isObject(state[field])) checkStates(warn, state[field], `${path}/${field}`);
    for (const [i, branch] of Object.entries(state.Branches ?? []))
      if (isObject(branch)) checkStates(warn, branch, `${path}/Branches[${i}]`);
  }
}

const templates = ['Parameters', 'ResultSelector', 'ItemSelector', 'Assign'];

function checkState(warn: Warn, state: JsonObject, at: string): void {
  for (const field of templates) each(state[field], `${at}/${field}`, (place) => warn('NO_DOLLAR', place));
  if (state.Type === 'Pass') each(state.Result, `${at}/Result`, (place) => warn('PASS_RESULT_IS_STATIC', place), true);
  for (const [i, rule] of Object.entries(state.Choices ?? [])) checkTest(warn, rule, `${at}/Choices[${i}]`);
}

/** A comparison with a path, where it would have to end in Path. */
function checkTest(warn: Warn, test: Json, at: string): void {
  if (!isObject(test)) return;
  for (const [name, value] of Object.entries(test)) {
    if (Array.isArray(value)) for (const [i, part] of value.entries()) checkTest(warn, part, `${at}/${name}[${i}]`);
    else if (isObject(value)) checkTest(warn, value, `${at}/${name}`);
    else if (/Equals$|Than$/.test(name) && looksLikePath(value)) warn('NO_PATH', `${at}/${name}`);
  }
}

/** Every text in a value that looks like a path: where its field does not say that it is one, or everywhere. */
function each(value: Json | undefined, at: string, tell: (at: string) => void, everywhere = false): void {
  if (Array.isArray(value)) for (const [i, part] of value.entries()) each(part, `${at}[${i}]`, tell, everywhere);
  else if (isObject(value))
    for (const [key, part] of Object.entries(value)) {
      if (everywhere || !key.endsWith('.$')) each(part, `${at}/${key}`, tell, everywhere);
    }
  else if (value !== undefined && looksLikePath(value)) tell(at);
}

const looksLikePath = (value: Json): boolean =>
  typeof value === 'string' && (/^\$\$?[.[]/.test(value) ? isPath(value) : isIntrinsic(value));
