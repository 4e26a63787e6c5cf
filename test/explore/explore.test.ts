import { existsSync } from 'node:fs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { CallStatus } from '../../core/base/state/schemas';
import { Todo } from '../../core/conversations/rows/todo';
import { isLong, longTest } from '../support/long';
import { startTable } from '../support/tables/table';
import { defects, placesMissing } from './defects';
import { withWorldTime } from './explore';
import { type Journal, told } from './memory-table';
import { exploreInProcesses } from './processes';
import { randomOf } from './random';
import { play } from './story';
import { fates } from './world';

/** A part of the exploration; `npm run test:explore -- --seeds 20000` is the whole of it. */
const seeds = isLong ? 300 : 100;

test('schedules with faults break no promise, and reach all that there is to reach (R143, R139, R140, R141, R142)', async () => {
  const { schedules, violations, met } = await exploreInProcesses({ seeds, processes: 1 });
  expect(violations).toEqual([]);
  expect(schedules).toBe(seeds);
  const reached = (what: string) => (met.get(what) ?? 0) > 0;
  const kinds = Todo.options.map(({ shape }) => `to do ${shape.does.value}`);
  const ends = ['done', 'failed', 'cancelled'].map((status) => `conversation ${status}`);
  const calls = CallStatus.options.filter((status) => !['queued', 'running', 'waiting'].includes(status));
  const all = [
    ...kinds,
    ...ends,
    ...calls.map((status) => `call ${status}`),
    ...fates.map((fate) => `fate ${fate}`),
    'result of several rows',
  ];
  expect(all.filter((what) => !reached(what))).toEqual([]);
});

longTest('a schedule is the same again: its seed decides its ids, too', async () => {
  const digests = [];
  for (let time = 0; time < 2; time++)
    digests.push((await exploreInProcesses({ first: 150, seeds: 60, processes: 1 })).digest);
  expect(digests[0]).toBe(digests[1]);
});

/** Writes bytes to JSON as a Buffer does: those of a vector are no Buffer. */
const asBuffer = (_key: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toJSON() : value;

/** Restores bytes from JSON. */
const binary = (_key: string, value: { type?: unknown; data?: number[] } | null): unknown =>
  value?.type === 'Buffer' && value.data ? Buffer.from(value.data) : value;

test('the table in memory answers as the real engine does', async () => {
  const table = await startTable();
  try {
    for (const seed of [3, 64, 302, 1486]) {
      const journal: Parameters<Journal>[] = [];
      await withWorldTime(() => play(randomOf(seed), (...request) => journal.push(request)));
      for (const [command, answer] of journal) {
        // It would find what other seeds have left open.
        if (command instanceof ScanCommand) continue;
        // Each seed has partitions of its own.
        const moved = JSON.stringify(command.input, asBuffer).replace(/"([CFUNR])#/g, `"$1#${seed} `);
        const there = JSON.parse(moved, binary) as object;
        const asked = Object.assign(Object.create(Object.getPrototypeOf(command) as object), { input: there });
        const real = await table.client.send(asked as never).catch((error: Error) => error);
        expect(told(real).replaceAll(`#${seed} `, '#')).toBe(told(answer));
      }
    }
  } finally {
    await table.stop();
  }
});

test('each of thirty defects can still be planted, and those that the exploration does not find name their test (R262)', () => {
  expect(defects.length).toBeGreaterThanOrEqual(30);
  const missing = defects.flatMap(({ name, test, changes }) => [
    ...placesMissing({ name, changes }),
    ...(test && !existsSync(test) && !existsSync(`${test}.test.ts`) ? [`"${name}" names no test: ${test}`] : []),
  ]);
  expect(missing).toEqual([]);
});
