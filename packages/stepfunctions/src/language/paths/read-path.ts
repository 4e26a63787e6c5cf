import { isObject, type Json, type JsonObject, setField } from '../json';
import type { Work } from '../work';
import { definiteSteps, type JsonPath, PathNotFound, type Step } from './json-path';

/**
 * The value a definite path names, or the array of what an indefinite one finds. Throws PathNotFound, also where an indefinite
 * path leads nowhere before its first step that branches.
 */
export function readPath({ steps, definite }: JsonPath, root: Json, work: Work): Json {
  if (definite) return readDefinite(steps, root, work);
  const branching = steps.findIndex(({ kind }) => !definiteSteps.has(kind));
  let found = [branching === 0 ? root : readDefinite(steps.slice(0, branching), root, work, true)];
  for (const [i, step] of steps.slice(branching).entries()) {
    // An index beyond an array's end selects null, which is lost unless the path ends there.
    const select = branching + i === steps.length - 1 ? lastChildren : children;
    const selected: Json[] = [];
    for (const value of found) {
      work.spend(1);
      for (const each of select(step, value, root, work)) selected.push(each);
    }
    work.spend(selected.length);
    found = selected;
  }
  return found;
}

function lastChildren(step: Step, value: Json, root: Json, work: Work): Json[] {
  if (!Array.isArray(value) || (step.kind !== 'index' && step.kind !== 'indexes'))
    return children(step, value, root, work);
  return (step.kind === 'index' ? [step.index] : step.indexes).map((index) => value.at(index) ?? null);
}

/** @param goesOn the path branches after these steps */
function readDefinite(steps: readonly Step[], root: Json, work: Work, goesOn = false): Json {
  let value: Json = root;
  for (let i = 0; i < steps.length; i += 1) {
    const [next] = children(steps[i]!, value, root, work);
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

/** Returns the values that one step of a path selects below one value. */
function children(step: Step, value: Json, root: Json, work: Work): Json[] {
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
      return descendants(value, work);
    case 'filter':
      return candidates(step, value).filter((each) => step.accepts(each, root, work));
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

function descendants(value: Json, work: Work, found: Json[] = []): Json[] {
  work.spend(1);
  found.push(value);
  for (const member of members(value)) descendants(member, work, found);
  return found;
}
