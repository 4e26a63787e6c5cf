/** A JSON value. Values are shared between states and never changed in place. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON type as error messages name it. */
export function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => sameJson(each, b[i]));
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key], b[key]));
}

/** Sets a field without ever touching a prototype, whatever its name. */
export function setField(target: JsonObject, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/**
 * Whether the value's JSON text is longer than `limit` bytes. Stops counting as soon as the answer is known; a string
 * whose length alone decides is not read.
 */
export function longerThan(value: Json, limit: number): boolean {
  return measure(value, limit) > limit;
}

function measure(value: Json, limit: number): number {
  switch (typeof value) {
    case 'string':
      // Only a string near the limit is worth its exact length: escapes and multi-byte characters count.
      return value.length * 6 + 2 <= limit / 64 ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
    case 'number':
      return value > -1e15 && value < 1e15 && Number.isInteger(value)
        ? 1 + Math.floor(Math.log10(Math.abs(value) + 1))
        : 18;
    case 'boolean':
      return 5;
    default:
  }
  if (value === null) return 4;
  let size = 2;
  if (Array.isArray(value)) {
    for (const each of value) {
      size += 1 + measure(each, limit);
      if (size > limit + value.length) return size;
    }
    return size;
  }
  for (const key in value) {
    size += key.length + 4 + measure(value[key] as Json, limit);
    if (size > limit * 2) return size;
  }
  return size;
}
