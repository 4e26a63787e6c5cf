import type { Archive, Summary } from './archive';
import type { Entry } from './entry';
import { ExecutionNames, placeOf } from './names';

test('an execution that is being archived is listed once, in its place', async () => {
  const entry = (serial: number) =>
    ({ serial, name: `run-${serial}`, startTime: serial, revision: { name: 'm', identity: 'm', number: 1 } }) as Entry;
  const stored = [4, 3, 1].map((serial) => ({ serial, name: `run-${serial}`, startTime: serial }) as Summary);
  const archive = {
    async *list(_machine: string, after?: { startTime: number }) {
      yield* stored.filter(({ startTime }) => !after || startTime < after.startTime);
    },
  };
  const names = new ExecutionNames(archive as unknown as Archive);
  for (const serial of [2, 3, 4, 5]) names.add(entry(serial));
  const listed = async (...given: Parameters<typeof names.list>) => {
    const found: string[] = [];
    for await (const { name } of names.list(...given)) found.push(name);
    return found;
  };
  expect(await listed('m')).toEqual(['run-5', 'run-4', 'run-3', 'run-2', 'run-1']);
  expect(await listed('m', placeOf(entry(4)))).toEqual(['run-3', 'run-2', 'run-1']);
});
