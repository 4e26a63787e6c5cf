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

/**
 * Plays a story again and again: its process dies at each of its requests in turn, before and after the answer, until it makes fewer.
 *
 * @param story `dies` lets the process work, and tells whether it has died.
 */
export async function dyingEverywhere(
  table: Table,
  story: (dies: (work: (on: Table) => Promise<unknown>) => Promise<boolean>) => Promise<void>,
): Promise<void> {
  for (const when of ['before', 'after'])
    for (let nth = 1, isOver = false; !isOver; nth++)
      await story(async (work) => {
        if (nth > 500) throw new Error('The process makes ever more requests.');
        isOver = await work(mortal(table, { nth, when })).then(
          () => true,
          () => false,
        );
        return !isOver;
      });
}

/** What a test sees of a request. */
interface Sent {
  constructor: { name: string };
  input: { Key?: { sk?: string }; TransactItems?: { Put?: { Item: Record<string, unknown> } }[] };
}
export const isWrite = ({ constructor: { name } }: Sent) => /Put|Write/.test(name);

/** A table for a process that another one overtakes, once, right before a request of this kind. */
export function overtaken(
  table: Table,
  isIt: (command: Sent) => unknown,
  by: (command: Sent) => Promise<unknown>,
): Table {
  let done: Promise<unknown> | undefined;
  const send = async (command: Sent) => {
    if (isIt(command)) {
      done ??= by(command);
      await done;
    }
    return table.client.send(command as never);
  };
  return { ...table, client: { send } as unknown as Table['client'] };
}

/** A table for a process that dies after so many writes. */
export function breakingOff(table: Table, writes: number): Table {
  let left = writes;
  const isTooMany = (command: Sent) => isWrite(command) && left-- <= 0;
  return overtaken(table, isTooMany, () => Promise.reject(new Error('gone')));
}
