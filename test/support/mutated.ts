import fc from 'fast-check';
import { isLong } from './long';

/** What servers send where something else belongs. */
export const oddities: readonly unknown[] = [
  null,
  undefined,
  '',
  ' ',
  'null',
  '{}',
  '[]',
  '""',
  '"{}"',
  'half \ud83d',
  '\ude00 half',
  'nul \0',
  '\u0007 bell',
  0,
  -0,
  -1,
  1.5,
  123,
  1e21,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53 + 2,
  '12',
  true,
  false,

  [],
  {},
  [null],
  [[]],
  { text: 'x' },
  [
    { type: 'text', text: 'part' },
    { type: 'thinking', thinking: 'x' },
  ],
  'x'.repeat(5_000),
  '<think>',
  '</think>',
  '{"a":',
  '{"at":9007199254740993}',
  'constructor',
  '__proto__',
  JSON.parse('['.repeat(300) + ']'.repeat(300)),
];

export interface Mutation {
  /** Which of all places in the value, from 0 to 1. */
  place: number;
  how: (typeof hows)[number];
  by: unknown;
}

/** Most replace something. */
export const hows = [...(['replace', 'replace', 'replace', 'remove', 'repeat', 'wrap', 'unwrap'] as const)];

/** Returns copies of a JSON value in which some parts are changed, removed, repeated or wrapped. */
export const mutated = (value: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc.record<Mutation>({
        place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        how: fc.constantFrom(...hows),
        by: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...oddities) }, fc.jsonValue()),
      }),
      { maxLength: 4 },
    )
    .map((mutations) => mutations.reduce(changed, structuredClone(value)));

/** `npm test` makes each ninth change. There are 44 for each part, so the next part gets other ones. */
const stride = isLong ? 1 : 9;

/** Yields copies of a JSON value in each of which one part is changed: every part, by every oddity and in every way. */
export function* everyChange(value: unknown): Generator<unknown> {
  let change = 0;
  for (const make of changesOf(value)) if (change++ % stride === 0) yield make();
}

function* changesOf(value: unknown): Generator<() => unknown> {
  const { length } = placesIn({ value });
  for (let place = 0; place < length; place++) {
    const at = (place + 0.5) / length;
    for (const by of oddities) yield () => changed(structuredClone(value), { place: at, how: 'replace', by });
    for (const how of ['remove', 'repeat', 'wrap', 'unwrap'] as const)
      yield () => changed(structuredClone(value), { place: at, how, by: undefined });
  }
}

type Holder = Record<string | number, unknown>;

/** Changes a value in place. @returns the whole, which may be another value then. */
export function changed(value: unknown, { place, how, by }: Mutation): unknown {
  const whole: Holder = { value };
  const places = placesIn(whole);
  const [holder, key] = places[Math.floor(place * places.length)]!;
  const old = holder[key];
  // A copy: a later change of it must not stay in the oddity.
  if (how === 'replace') holder[key] = structuredClone(by);
  else if (how === 'remove') delete holder[key];
  else if (how === 'repeat' && Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(old));
  else if (how === 'wrap') holder[key] = [old];
  else if (how === 'unwrap') holder[key] = typeof old === 'object' && old !== null ? Object.values(old)[0] : { old };
  return whole.value;
}

/** Where a value and its parts are. Deep nesting is one place. */
function placesIn(holder: Holder, depth = 0): [Holder, string][] {
  if (depth > 12) return [];
  return Object.keys(holder).flatMap((key) => {
    const part = holder[key];
    const inside = typeof part === 'object' && part !== null ? placesIn(part as Holder, depth + 1) : [];
    return [[holder, key] as [Holder, string], ...inside];
  });
}
