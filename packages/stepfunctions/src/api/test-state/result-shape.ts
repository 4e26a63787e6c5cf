import { isNumber, isObject, type Json } from '../../language/json';
import { validationFailed } from '../api-error';

/** The API model of a value in a service's answer. */
export type Shape =
  | { kind: 'structure'; member: (name: string) => Shape | undefined; required: readonly string[] }
  | { kind: 'list' | 'map'; member: () => Shape }
  | { kind: 'string'; oneOf?: readonly string[]; least?: number; most?: number }
  | { kind: 'number'; least?: number; most?: number }
  | { kind: 'boolean' }
  /** A document, or what an integration makes of a payload. */
  | { kind: 'any' };

export type Mode = 'STRICT' | 'PRESENT';

/** Returns a name's key for comparisons: services, their clients and Step Functions capitalise the same one differently. */
export const memberKey = (name: string): string => name.toLowerCase();

/** Step Functions writes the fields of every service with a capital; the service's own `messageId` is an unknown field. */
const isStepFunctionsName = (name: string): boolean => name[0] !== name[0]?.toLowerCase();

/** Throws ValidationException for a mocked result that the service could not have given. Unknown fields pass. */
export function checkResult(value: Json, shape: Shape, mode: Mode, field = ''): void {
  switch (shape.kind) {
    case 'structure':
      checkStructure(value, shape, mode, field);
      return;
    case 'list':
      if (!Array.isArray(value)) throw wrong(field, 'must be an array');
      for (const each of value) checkResult(each, shape.member(), mode, field);
      return;
    case 'map':
      if (!isObject(value)) throw wrong(field, 'must be an object');
      for (const each of Object.values(value)) checkResult(each, shape.member(), mode, field);
      return;
    case 'string':
      checkText(value, shape, field);
      return;
    case 'number':
      if (!isNumber(value)) throw wrong(field, 'must be a number');
      if (value < (shape.least ?? value)) throw wrong(field, 'is less than the minimum value');
      if (value > (shape.most ?? value)) throw wrong(field, 'exceeds the maximum value');
      return;
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong(field, 'must be a boolean');
      return;
    case 'any':
      return;
  }
}

function checkStructure(
  value: Json,
  { member, required }: Extract<Shape, { kind: 'structure' }>,
  mode: Mode,
  field: string,
): void {
  if (!isObject(value))
    throw field === '' ? validationFailed('Mocked result must be a JSON object.') : wrong(field, 'must be an object');
  if (mode === 'STRICT') {
    const present = new Set(Object.keys(value).filter(isStepFunctionsName).map(memberKey));
    const missing = required.find((name) => !present.has(memberKey(name)));
    if (missing !== undefined)
      throw validationFailed(
        `Mock result schema validation error: Required field '${missing[0]!.toUpperCase()}${missing.slice(1)}' is missing`,
      );
  }
  for (const [name, each] of Object.entries(value)) {
    const shape = isStepFunctionsName(name) ? member(name) : undefined;
    if (shape !== undefined) checkResult(each, shape, mode, name);
  }
}

function checkText(value: Json, { oneOf, least, most }: Extract<Shape, { kind: 'string' }>, field: string): void {
  if (typeof value !== 'string') throw wrong(field, 'must be a string');
  if (oneOf && !oneOf.includes(value)) throw wrong(field, 'is not an expected value');
  if (value.length < (least ?? 0)) throw wrong(field, 'is smaller than the minimum length');
  if (value.length > (most ?? value.length)) throw wrong(field, 'exceeds the maximum length');
}

const wrong = (field: string, problem: string) =>
  validationFailed(`Mock result schema validation error: Field '${field}' ${problem}`);
