import { isObject, type Json } from '../language/json';
import { formatTimestamp } from '../language/timestamp';

/** Times are seconds on the wire, in fields that are named so, and text in a task's result. */
export function dated(value: Json): Json {
  if (Array.isArray(value)) return value.map(dated);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      /(?:Date|Time|Timestamp)$/.test(name) && typeof each === 'number' ? formatTimestamp(each * 1000) : dated(each),
    ]),
  );
}
