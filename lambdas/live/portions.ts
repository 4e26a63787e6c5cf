/** What one call takes. */
interface Most {
  bytes: number;
  items?: number;
}

/** Splits items, in their order, into portions that fit into one call. An item that is larger is a portion of its own. */
export function portionsOf<Item>(items: readonly Item[], bytesOf: (item: Item) => number, most: Most): Item[][] {
  const { bytes: mostBytes, items: mostItems = Number.POSITIVE_INFINITY } = most;
  const portions: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    const last = portions.at(-1);
    if (last && last.length < mostItems && bytes + size <= mostBytes) {
      last.push(item);
      bytes += size;
    } else {
      portions.push([item]);
      bytes = size;
    }
  }
  return portions;
}
