import type { Table } from '../../core/conversations/store/table';

/** Returns how long some work takes, in milliseconds. */
export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** Returns a table that counts its requests, which are reads, and the capacity units that they consume. */
export function countingTable(table: Table) {
  const counted = {
    reads: 0,
    units: 0,
    table: {
      ...table,
      client: Object.assign(Object.create(table.client) as Table['client'], {
        // biome-ignore lint/suspicious/noExplicitAny: any command.
        async send(command: any) {
          command.input.ReturnConsumedCapacity = 'TOTAL';
          const answer = (await table.client.send(command)) as { ConsumedCapacity?: { CapacityUnits?: number } };
          counted.reads += 1;
          counted.units += answer.ConsumedCapacity?.CapacityUnits ?? 0;
          return answer;
        },
      }),
    },
  };
  return counted;
}
