import * as z from 'zod';
import type { $ZodIssue, $ZodType, $ZodTypes } from 'zod/v4/core';

type Unknown = 'kept' | 'dropped';

/** A union whose options all refuse the value, one of them for its limits alone: what zod says of it, and the issues of that option. */
interface Refusal {
  path: PropertyKey[];
  said: $ZodIssue[];
  issues: $ZodIssue[];
}

/**
 * Parses what a model sent, as its schema (`modelSchema`) asks for: a null for an optional field that takes no null is left out first,
 * at every depth. Where a union refuses the value, the issues are those of the option that it misses by limits only: zod's own choice
 * can be an option of another shape.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.infer<Schema>> {
  const refusals: Refusal[] = [];
  const parsed = schema.safeParse(withoutNulls(schema, value, [], refusals));
  if (parsed.success || refusals.length === 0) return parsed;
  const error = new z.ZodRealError(refusals.reduce(withIssuesOf, parsed.error.issues));
  return { success: false, error: error as z.ZodError<z.infer<Schema>> };
}

/** Returns the issues with what zod says of the union replaced. A `catch` above the union leaves nothing of that, and none is added. */
function withIssuesOf(issues: $ZodIssue[], { path, said, issues: own }: Refusal): $ZodIssue[] {
  const at = (issue: $ZodIssue): $ZodIssue => ({ ...issue, path: [...path, ...issue.path] });
  const nameOf = (issue: $ZodIssue) => JSON.stringify([issue.code, issue.path.map(String), issue.message]);
  const names = new Set(said.map((issue) => nameOf(at(issue))));
  const others = issues.filter((issue) => !names.has(nameOf(issue)));
  return others.length === issues.length ? issues : [...others, ...own.map(at)];
}

/**
 * Returns a value without the nulls that stand for absent fields, and adds the unions that refuse it to `refusals`.
 *
 * @param unknown what becomes of fields that an object does not name.
 */
export function withoutNulls(
  schema: $ZodType,
  value: unknown,
  path: PropertyKey[] = [],
  refusals: Refusal[] = [],
  unknown: Unknown = 'kept',
): unknown {
  const inside = (field: $ZodType, one: unknown, key: PropertyKey): unknown =>
    withoutNulls(field, one, [...path, key], refusals, unknown);
  if (typeof value !== 'object' || value === null) return value;
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      if (Array.isArray(value)) return value;
      const fields = Object.entries(value).flatMap(([name, one]) => {
        const field = (Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall) as $ZodType | undefined;
        if (!field) return unknown === 'kept' ? [[name, one]] : [];
        return one === null && isOptional(field) && !takesNull(field) ? [] : [[name, inside(field, one, name)]];
      });
      return Object.fromEntries(fields);
    }
    case 'record': {
      if (Array.isArray(value)) return value;
      const mayBeAbsent = ('partial' in def && def.partial) || isOptional(def.valueType);
      const kept = Object.entries(value).filter(([, one]) => one !== null || !mayBeAbsent || takesNull(def.valueType));
      return Object.fromEntries(kept.map(([name, one]) => [name, inside(def.valueType, one, name)]));
    }
    case 'array':
      return Array.isArray(value) ? value.map((one, index) => inside(def.element, one, index)) : value;
    case 'tuple':
      return Array.isArray(value)
        ? value.map((one, index) => inside((def.items[index] ?? def.rest) as $ZodType, one, index))
        : value;
    case 'union':
      return optionFor(schema as z.ZodType, def.options, value, { path, refusals, unknown });
    case 'intersection':
      // Each side names a part of the fields.
      return withoutNulls(def.right, withoutNulls(def.left, value, path, refusals), path, refusals);
    default: {
      const inner = innerOf(def);
      return inner ? withoutNulls(inner, value, path, refusals, unknown) : value;
    }
  }
}

/** Returns the value for the option that fits; else for the one that it misses by limits only, so that the problem is told. */
function optionFor(
  union: z.ZodType,
  options: readonly $ZodType[],
  value: object,
  { path, refusals, unknown }: { path: PropertyKey[]; refusals: Refusal[]; unknown: Unknown },
): unknown {
  let [best, fewest, issues]: [unknown, number, $ZodIssue[]] = [value, Number.POSITIVE_INFINITY, []];
  for (const option of options) {
    const inside: Refusal[] = [];
    const candidate = withoutNulls(option, value, [], inside, unknown);
    const { error } = (option as z.ZodType).safeParse(candidate);
    if (!error) return candidate;
    const told = inside.reduce(withIssuesOf, error.issues);
    const misfits = told.filter(({ code }) => !ofLimits.has(code)).length;
    if (misfits < fewest) [best, fewest, issues] = [candidate, misfits, told];
  }
  if (fewest === 0) refusals.push({ path, said: union.safeParse(best).error?.issues ?? [], issues });
  return best;
}

const ofLimits = new Set(['too_small', 'too_big', 'invalid_format', 'not_multiple_of', 'custom']);

/** Returns the schema that a wrapper asks the model for. */
function innerOf(def: $ZodTypes['_zod']['def']): $ZodType | undefined {
  if (def.type === 'lazy') return def.getter();
  if (def.type === 'pipe') return (def.in as $ZodTypes)._zod.def.type === 'transform' ? def.out : def.in;
  return 'innerType' in def ? (def.innerType as $ZodType) : undefined;
}

/** Whether a field may be absent, as its author declares. A `catch` or a `preprocess` would take an absent field, but does not declare it. */
export function isOptional(schema: $ZodType, depth = 0): boolean {
  const { def } = (schema as $ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') return true;
  if (def.type === 'nonoptional' || depth > deepest) return false;
  if (def.type === 'union') return def.options.some((one) => isOptional(one, depth + 1));
  if (def.type === 'intersection') return isOptional(def.left, depth + 1) && isOptional(def.right, depth + 1);
  const inner = innerOf(def);
  return inner ? isOptional(inner, depth + 1) : false;
}

/** A schema that only contains itself has no value at all. */
const deepest = 30;

/** Whether the schema that a model reads has null as a value. A schema that coerces would take one that it does not name. */
function takesNull(schema: $ZodType, depth = 0): boolean {
  const { def } = (schema as $ZodTypes)._zod;
  if (depth > deepest) return false;
  if (def.type === 'null' || def.type === 'nullable' || def.type === 'any' || def.type === 'unknown') return true;
  if (def.type === 'literal') return def.values.includes(null);
  if (def.type === 'union') return def.options.some((one) => takesNull(one, depth + 1));
  if (def.type === 'intersection') return takesNull(def.left, depth + 1) && takesNull(def.right, depth + 1);
  const inner = innerOf(def);
  return inner ? takesNull(inner, depth + 1) : false;
}
