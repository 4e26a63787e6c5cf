import type { Table } from '../../../core/conversations/store/table';

/** A table for a process that dies at its nth request: before the request is made, or before its response arrives. */
export function mortal(table: Table, { nth, when }: { nth: number; when: string }): Table {
  let requests = 0;
  let dead = false;
  const send = async (command: unknown) => {
    const last = ++requests === nth;
    if (last && when === 'before') dead = true;
    if (dead) throw new Error('This process is dead.');
    const answer = await table.client.send(command as Parameters<Table['client']['send']>[0]);
    if (last) dead = true;
    if (dead) throw new Error('This process is dead.');
    return answer;
  };
  return { ...table, client: { send } as Table['client'] };
}
