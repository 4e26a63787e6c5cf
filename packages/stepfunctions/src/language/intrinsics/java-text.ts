import { isObject, type Json, jsonText } from '../json';

/** A number as Java writes it: fractions as `Double.toString` does, 12345678.9 as `1.23456789E7`. */
function javaNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e21) return String(value);
  if (size >= 1e-3 && size < 1e7) return String(value);
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** The value's JSON text with numbers as Java writes them. */
export function javaJson(value: Json): string {
  if (typeof value === 'number') return javaNumber(value);
  if (Array.isArray(value)) return `[${value.map(javaJson).join(',')}]`;
  if (!isObject(value)) return jsonText(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${jsonText(key)}:${javaJson(each)}`)
    .join(',')}}`;
}

/** Objects and arrays come out as Java prints its maps and lists: that is what States.Format gives. */
export function javaPrinted(value: Json): string {
  if (typeof value === 'number') return javaNumber(value);
  if (Array.isArray(value)) return `[${value.map(javaPrinted).join(', ')}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}=${javaPrinted(each)}`)
    .join(', ')}}`;
}
