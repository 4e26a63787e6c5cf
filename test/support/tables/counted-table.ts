import type { Table } from '../../../core/conversations/store/table';

export interface Counted {
  table: Table;
  /** The write units of each kind of request so far, as `TransactWrite META+M`, by the engine's report. */
  units(): Map<string, number>;
  /** Resolves when no write is under way. */
  idle(): Promise<void>;
}

interface Sent {
  constructor: { name: string };
  input: { Key?: Row; Item?: Row; TransactItems?: { Put?: { Item: Row }; Update?: { Key: Row } }[] };
}
type Row = { sk: string };
type Answer = { ConsumedCapacity?: Capacity | Capacity[] };
type Capacity = { CapacityUnits?: number };

/** A table that counts what its writes consume. */
export function countedTable(table: Table): Counted {
  const units = new Map<string, number>();
  const under = new Set<Promise<unknown>>();
  const client = {
    async send(command: Sent) {
      const { name } = command.constructor;
      if (name === 'GetCommand' || name === 'QueryCommand') return table.client.send(command as never);
      Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
      const sent = table.client.send(command as never) as Promise<Answer>;
      under.add(sent);
      const answer = await sent.finally(() => under.delete(sent));
      const consumed = [answer.ConsumedCapacity ?? []].flat().reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
      const write = `${name.replace('Command', '')} ${kindsIn(command).join('+')}`;
      units.set(write, (units.get(write) ?? 0) + consumed);
      return answer;
    },
  };
  return {
    table: { name: table.name, client: client as unknown as Table['client'] },
    units: () => new Map(units),
    async idle() {
      await Promise.allSettled(under);
    },
  };
}

function kindsIn({ input: { Key, Item, TransactItems = [] } }: Sent): string[] {
  const one = Key ?? Item;
  const rows = one ? [one] : TransactItems.map(({ Put, Update }) => Put?.Item ?? Update!.Key);
  return rows.map(({ sk }) => sk.split('#')[0]!);
}
