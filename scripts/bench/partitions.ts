/** A write as DynamoDB receives it. */
export interface Written {
  Key?: Keys;
  Item?: Keys;
  TransactItems?: Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', { Key?: Keys; Item?: Keys }>>[];
}
type Keys = Record<string, { S?: string }>;

/**
 * The writes to each partition key of the tables. The units of a request, with those of its indexes, count in equal parts for
 * its rows.
 */
export interface Partitions {
  note(write: Written, units: number): void;
  /** Returns the most written key of each kind, with its most written second. The kind is the key's beginning, such as `C#`. */
  hottest(): Partition[];
}

interface Partition {
  kind: string;
  units: number;
  unitsInSecond: number;
}

export function partitionsOf(now: () => number = Date.now): Partitions {
  const found = new Map<string, Partition & { second: number; inThis: number }>();
  return {
    note(write, units) {
      const keys = keysOf(write);
      const second = Math.floor(now() / 1_000);
      for (const key of keys) {
        const one = found.get(key) ?? { kind: kindOf(key), units: 0, unitsInSecond: 0, second, inThis: 0 };
        found.set(key, one);
        if (one.second !== second) Object.assign(one, { second, inThis: 0 });
        one.units += units / keys.length;
        one.inThis += units / keys.length;
        one.unitsInSecond = Math.max(one.unitsInSecond, one.inThis);
      }
    },
    hottest() {
      const hottest = new Map<string, Partition>();
      for (const { kind, units, unitsInSecond } of found.values()) {
        const best = hottest.get(kind) ?? { kind, units: 0, unitsInSecond: 0 };
        hottest.set(kind, {
          kind,
          units: Math.max(best.units, units),
          unitsInSecond: Math.max(best.unitsInSecond, unitsInSecond),
        });
      }
      return [...hottest.values()].sort((a, b) => b.units - a.units);
    },
  };
}

const kindOf = (key: string): string => `${key.split('#')[0]}#`;

function keysOf({ Key, Item, TransactItems }: Written): string[] {
  const rows = TransactItems?.flatMap((item) => Object.values(item)) ?? [{ Key, Item }];
  return rows.flatMap((row) => (row.Key ?? row.Item)?.pk?.S ?? []);
}
