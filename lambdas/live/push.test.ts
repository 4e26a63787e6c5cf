import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Push } from '../../core/people/live/broadcast';
import { openConnection } from '../../core/people/live/connections';
import { subscribe, subscribersOf } from '../../core/people/live/subscriptions';
import { type LoggedLine, loggedLines } from '../../test/support/logged';
import { startTable } from '../../test/support/tables/table';
import { type Connections, pushAll } from './push';

let live: Awaited<ReturnType<typeof startTable>>;
const queries: string[] = [];
let lines: LoggedLine[];
beforeAll(async () => {
  live = await startTable();
  const send = live.client.send as (command: object) => Promise<never>;
  live.client.send = (command: object) => {
    if (command instanceof QueryCommand) queries.push(command.constructor.name);
    return send(command);
  };
});
afterAll(() => live.stop());
beforeEach(() => {
  queries.length = 0;
  lines = loggedLines();
});

const now = () => new Date();
const hour = 3_600;

async function givenSubscribers(topic: string, ...ids: string[]): Promise<void> {
  for (const id of ids) await givenSubscriber(topic, id, hour);
}
async function givenSubscriber(topic: string, id: string, seconds: number): Promise<void> {
  const holder = { user: `user of ${id}`, deciders: [], groups: [], until: Date.now() / 1_000 + seconds };
  await openConnection(live, id, holder, now());
  expect(await subscribe(live, id, topic, holder, now())).toBe(true);
}
async function subscribersTo(topic: string) {
  const { open, over } = await subscribersOf(live, topic, now());
  return [...open.map(({ sk }) => sk), ...over];
}

/** Clients that accept all posts, except those in `failing`. */
function clients(failing: Record<string, () => Promise<void>> = {}) {
  const taken: [string, string][] = [];
  const closed: string[] = [];
  const connections: Connections = {
    async post(id, frame) {
      await failing[id]?.();
      taken.push([id, frame]);
    },
    close: async (id) => void closed.push(id),
  };
  return { connections, taken, closed };
}
const push = (topic: string, ...frames: string[]): Push => ({ topic, frames });
const gone = async () => {
  throw Object.assign(new Error('gone'), { name: 'GoneException' });
};

test('the queries grow with the topics, not with the clients', async () => {
  await givenSubscribers('few', 'f1');
  await givenSubscribers('many', ...Array.from({ length: 150 }, (_, index) => `m${index}`));
  const { connections, taken } = clients();
  await pushAll({ table: live, live }, connections, [push('few', 'x')]);
  expect([queries.length, taken.length]).toEqual([1, 1]);
  await pushAll({ table: live, live }, connections, [push('many', 'y', 'z'), push('nobody', 'x')]);
  expect([queries.length, taken.length]).toEqual([3, 301]);
  expect(lines.map(({ message, pushed }) => [message, pushed])).toEqual([
    ['broadcast', 1],
    ['broadcast', 150],
  ]);
  const frames = taken.filter(([id]) => id === 'm7').map(([, frame]) => frame);
  expect(frames).toEqual(['y', 'z']);
});

test('the owner gets frames of their own, and all others the same', async () => {
  await givenSubscribers('kept', 'o1', 'p1');
  const { connections, taken } = clients();
  const kept = { ...push('kept', 'x'), ofOwner: { owner: 'user of o1', frames: ['x, pinned'] } };
  await pushAll({ table: live, live }, connections, [kept]);
  expect(taken.sort()).toEqual([
    ['o1', 'x, pinned'],
    ['p1', 'x'],
  ]);
});

test('a connection that is gone loses its subscriptions, to other topics as well', async () => {
  await givenSubscribers('one', 'g', 'stays');
  await givenSubscribers('two', 'g');
  const { connections, taken, closed } = clients({ g: gone });
  await pushAll({ table: live, live }, connections, [push('one', 'x')]);
  expect([taken, closed]).toEqual([[['stays', 'x']], []]);
  expect([await subscribersTo('one'), await subscribersTo('two')]).toEqual([['stays'], []]);
});

test('a client that accepts nothing is closed, so it connects and reads again; the others do not wait for it', async () => {
  await givenSubscribers('slow', 'never', 'quick');
  const { connections, taken, closed } = clients({ never: () => new Promise(() => undefined) });
  const pushing = pushAll({ table: live, live }, connections, [push('slow', 'x')]);
  while (taken.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect([taken, closed]).toEqual([[['quick', 'x']], []]);
  await pushing;
  expect([closed, await subscribersTo('slow')]).toEqual([['never'], ['quick']]);
});

test('a topic has no subscribers after its last push', async () => {
  await givenSubscribers('ending', 'e1', 'e2');
  await pushAll({ table: live, live }, clients().connections, [{ ...push('ending', 'bye'), last: true }]);
  expect(await subscribersTo('ending')).toEqual([]);
});

test('a connection whose token has ended is closed and gets nothing, from no topic (R124)', async () => {
  await givenSubscriber('watched', 'over', -1);
  await givenSubscriber('also', 'over', -1);
  await givenSubscribers('watched', 'still');
  const { connections, taken, closed } = clients();
  await pushAll({ table: live, live }, connections, [push('watched', 'x')]);
  expect([taken, closed]).toEqual([[['still', 'x']], ['over']]);
  expect([await subscribersTo('watched'), await subscribersTo('also')]).toEqual([['still'], []]);
});

test('each line of a push has its conversation (R170)', async () => {
  await givenSubscribers('of a line', 'reached', 'unreachable');
  const { connections } = clients({ unreachable: () => Promise.reject(new Error('no route')) });
  await pushAll({ table: live, live }, connections, [{ ...push('of a line', 'x'), conversationId: 'c' }]);
  expect(lines).toMatchObject([
    { level: 'WARN', conversationId: 'c', connectionId: 'unreachable' },
    { message: 'broadcast', conversationId: 'c', pushed: 1, closed: 1 },
  ]);
});
