/** A field's kind, in the words of an error; optional with a question mark. */
type Kind = 'a text' | 'a number' | 'a function' | 'a text or a function' | 'anything';
/** The kind of each field. */
export type KindsOf<Options> = { [Field in keyof Required<Options>]: Kind | `${Kind}?` };

/**
 * Checks the options of a public function: the compiler does not run in plain JavaScript.
 *
 * @throws TypeError in one line: `createClient: tokn: there is no such field: the fields are url, token, timeoutMs`.
 */
export function checkOptions<Options extends object>(whose: string, options: Options, kinds: KindsOf<Options>): void {
  const wrong = (field: string, problem: string) => new TypeError(`${whose}: ${field}: ${problem}`);
  if (typeof options !== 'object' || options === null) throw new TypeError(`${whose}: the options must be an object`);
  const names = Object.keys(kinds);
  // A field that is undefined is as good as left out.
  for (const [field, value] of Object.entries(options))
    if (value !== undefined && !names.includes(field))
      throw wrong(field, `there is no such field: the fields are ${names.join(', ')}`);
  for (const [field, stated] of Object.entries<string>(kinds)) {
    const kind = stated.replace(/\?$/, '');
    const value = options[field as keyof Options];
    if (value === undefined && stated.endsWith('?')) continue;
    if (!fits(value, kind))
      throw wrong(field, value === undefined ? `is missing: it must be ${kind}` : `must be ${kind}`);
  }
}

function fits(value: unknown, kind: string): boolean {
  if (kind === 'anything') return true;
  if (kind === 'a number') return typeof value === 'number' && !Number.isNaN(value);
  return kind.split(' or ').includes(`a ${typeof value}`.replace('string', 'text'));
}
