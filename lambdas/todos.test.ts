import type { SFNClient } from '@aws-sdk/client-sfn';
import type { Todo, TodoRow } from '../core/conversations/rows/todo';
import { readKind, write } from '../core/conversations/store/table';
import { toDo } from '../core/conversations/store/write';
import { type StartedTable, startTable } from '../test/support/tables/table';
import { actOn } from './todos';

const start = (runId: string): Todo => ({ does: 'start', runId, segment: 1, step: 0 });
const stop = (execution: string): Todo => ({ does: 'stop', machine: 'loop', execution, because: 'cancelled' });
const failure = (name: string) => Object.assign(new Error(name), { name });

describe('what follows from one transaction', () => {
  let table: StartedTable;
  beforeAll(async () => {
    Object.assign(process.env, { STATE_MACHINE_ARN: 'arn:aws:states:none:0:stateMachine:loop' });
    table = await startTable();
  });
  afterAll(() => table.stop());

  /** Lets Step Functions refuse what names one of these. */
  async function given(id: string, todos: Todo[], refused: Record<string, Error> = {}) {
    const sent: string[] = [];
    const client = {
      async send({ input: { name, executionArn } }: { input: { name?: string; executionArn?: string } }) {
        const execution = name ?? executionArn!.split(':').at(-1)!;
        sent.push(execution);
        if (refused[execution]) throw refused[execution];
      },
    } as unknown as SFNClient;
    const rows: TodoRow[] = [];
    await write(
      { ...table, committed: (row) => rows.push(row) },
      id,
      todos.map((todo) => toDo(todo)),
    );
    const acting = { client, table, registry: { agents: new Map(), tools: new Map() } as never };
    const left = async () =>
      ((await readKind(table, id, 'todos')) as unknown as TodoRow[]).flatMap(({ todos }) => todos);
    return { sent, left, act: () => actOn(acting, rows[0]!, true) };
  }

  test('is done although one of it fails for good, and the row stays (R266)', async () => {
    const refused = { 'r1-1': failure('ValidationException') };
    const { sent, left, act } = await given('hopeless', [start('r1'), stop('r0-1'), start('r2')], refused);
    await expect(act()).rejects.toThrow('ValidationException');
    expect(sent.toSorted()).toEqual(['r0-1', 'r1-1', 'r2-1']);
    expect(await left()).toHaveLength(3);
  });

  test('fails as what passes, if some of it may be done later and some never (R266)', async () => {
    const refused = { 'r1-1': failure('ValidationException'), 'r2-1': failure('ThrottlingException') };
    const { act } = await given('both', [start('r1'), start('r2')], refused);
    await expect(act()).rejects.toThrow('ThrottlingException');
  });

  test('is told to nobody if its condition has failed: nothing was committed', async () => {
    const committed = jest.fn();
    const rows = [{ sk: 'META', set: {}, onlyIf: { version: 7 } }, toDo(stop('r0-1'))];
    expect(await write({ ...table, committed }, 'refused', rows)).toBe(false);
    expect(committed).not.toHaveBeenCalled();
  });

  test('is emptied once all is done (R266)', async () => {
    const { left, act } = await given('done', [start('r1'), stop('r0-1')]);
    await act();
    expect(await left()).toEqual([]);
  });
});
