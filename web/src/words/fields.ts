/** An argument of an approval as a form field, typed by the value that the model gave. */
export interface Field {
  name: string;
  kind: 'number' | 'text' | 'flag' | 'json';
  text: string;
  /** The value of a `flag`. */
  on: boolean;
}

export const fieldsOf = (input: unknown): Field[] =>
  Object.entries(typeof input === 'object' && input !== null ? input : {}).map(([name, value]) => {
    if (typeof value === 'boolean') return { name, kind: 'flag', text: '', on: value };
    if (typeof value === 'number') return { name, kind: 'number', text: String(value), on: false };
    if (typeof value === 'string') return { name, kind: 'text', text: value, on: false };
    return { name, kind: 'json', text: JSON.stringify(value), on: false };
  });

/** Returns the values of the fields. @throws Error that names an invalid field. */
export function valuesOf(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, valueIn(field)]));
}

function valueIn({ name, kind, text, on }: Field): unknown {
  switch (kind) {
    case 'flag':
      return on;
    case 'text':
      return text;
    case 'number': {
      const number = Number(text);
      if (text.trim() === '' || !Number.isFinite(number)) throw new Error(`${name}: enter a number.`);
      return number;
    }
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        throw new Error(`${name}: enter valid JSON.`);
      }
  }
}

/** Whether a value differs from the model's. Only then are the arguments sent. */
export const isEdited = (fields: readonly Field[], input: unknown): boolean =>
  JSON.stringify(fields) !== JSON.stringify(fieldsOf(input));

/** Returns a number of cents in dollars, as a hint next to the field. */
export function inDollars({ name, kind, text }: Field): string | undefined {
  if (kind !== 'number' || !/cents$/i.test(name) || !Number.isFinite(Number(text))) return undefined;
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(text) / 100);
}

/** Characters that are not visible, or that change the direction of the text around them. Line breaks are visible. */
const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

/** Writes out the characters of a text that cannot be seen, as ‹U+202E›. Undefined if it has none. */
export function withHidden(text: string): string | undefined {
  const written = text.replace(
    hidden,
    (character) => `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`,
  );
  return written === text ? undefined : written;
}
