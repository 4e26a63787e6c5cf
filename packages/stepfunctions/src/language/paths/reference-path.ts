import { errorNames, StateFailure } from '../errors';
import { isObject, type Json, type JsonObject, jsonText, setField } from '../json';
import type { JsonPath } from './json-path';

/**
 * Section "ResultPath": puts `value` where the reference path points in `target`, making objects on the way.
 * `target` itself stays as it is; what lies beside the path is shared with it.
 */
export function writePath(path: JsonPath, target: Json, value: Json): Json {
  return write(target, path, 0, value);
}

function write(target: Json, path: JsonPath, depth: number, value: Json): Json {
  const step = path.steps[depth];
  if (step === undefined) return value;
  if (step.kind === 'index') {
    if (!Array.isArray(target) || step.index < 0 || step.index >= target.length) throw mismatch(path, target);
    const copy = target.slice();
    copy[step.index] = write(target[step.index] as Json, path, depth + 1, value);
    return copy;
  }
  if (step.kind !== 'field' || !isObject(target)) throw mismatch(path, target);
  const below = Object.hasOwn(target, step.name) ? (target[step.name] as Json) : {};
  const copy: JsonObject = { ...target };
  // Below a value that is no container there is no place for a field: the specification has the execution fail.
  setField(copy, step.name, write(below, path, depth + 1, value));
  return copy;
}

const mismatch = (path: JsonPath, target: Json) =>
  new StateFailure(
    errorNames.resultPathMatchFailure,
    `Unable to apply ReferencePath ${path.text} to input ${jsonText(target)}`,
    { bare: true },
  );
