/** The largest item that DynamoDB takes, less a little for what conditions and indexes add. */
export const mostRowBytes = 400_000;

/** What DynamoDB takes in one transaction: rows, and bytes of whole rows, with what a write leaves in them as it is. */
export const mostOfTransaction = { rows: 100, bytes: 4_000_000 };

/** Room in a transaction, for the rows that its other rows leave. */
export interface Room {
  rows: number;
  bytes: number;
}

/**
 * Returns as many items from the beginning as fit into the room, at least one. Every writer of many rows counts by this.
 *
 * @param bytes the size of an item's whole row after the write.
 */
export function firstThatFit<Item>(items: readonly Item[], room: Room, bytes: (item: Item) => number): Item[] {
  let left = room.bytes;
  const end = items.findIndex((item, index) => {
    left -= bytes(item);
    return index > 0 && (index >= room.rows || left < 0);
  });
  return items.slice(0, end === -1 ? items.length : end);
}

/** Returns the items in the parts that fit into the room, one after the other. */
export function partsThatFit<Item>(items: readonly Item[], room: Room, bytes: (item: Item) => number): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += parts.at(-1)!.length)
    parts.push(firstThatFit(items.slice(from), room, bytes));
  return parts;
}

const levelBytes = 3;
const elementBytes = 1;

/**
 * Returns at least as many bytes as DynamoDB counts for a value of an item
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
 *
 * @example
 * bytesOf('é'); // 2
 */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // Two digits are one byte. An exponent counts as digits here, which is more.
  if (typeof value === 'number' || typeof value === 'bigint') return Math.ceil(String(value).length / 2) + 2;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (value instanceof Set) return bytesOf([...value]);
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + bytesOf(one) + elementBytes, levelBytes);
  if (typeof value !== 'object' || value === null) return elementBytes;
  return Object.entries(value).reduce(
    // A field without a value is not stored.
    (sum, [name, one]) => (one === undefined ? sum : sum + Buffer.byteLength(name) + bytesOf(one) + elementBytes),
    levelBytes,
  );
}
