export interface Steady<Item> {
  keyOf: (item: Item) => string;
  /** Whether a row stays although what it shows is gone: it has a receipt, or what the user writes. */
  stays: (item: Item) => boolean;
  /** The pointer or the focus is in the list: nothing changes places. */
  isUnderHand: boolean;
}

/** Returns the rows of a list, given those before: what is gone and stays keeps its place, and under the user's hand so does the rest. */
export function steadyRows<Item>(
  before: readonly Item[],
  items: readonly Item[],
  { keyOf, stays, isUnderHand }: Steady<Item>,
): readonly Item[] {
  const now = new Map(items.map((one) => [keyOf(one), one]));
  const rows: Item[] = isUnderHand ? [] : [...items];
  const known = new Set<string>();
  let last: string | undefined;
  for (const one of before) {
    const key = keyOf(one);
    const isThere = now.has(key);
    if (!isThere && !stays(one)) continue;
    known.add(key);
    if (isUnderHand) rows.push(now.get(key) ?? one);
    // After the row that it stood after.
    else if (!isThere) rows.splice(rows.findIndex((row) => keyOf(row) === last) + 1, 0, one);
    last = key;
  }
  if (isUnderHand) rows.push(...items.filter((one) => !known.has(keyOf(one))));
  const isSame = rows.length === before.length && rows.every((one, at) => one === before[at]);
  return isSame ? before : rows;
}
