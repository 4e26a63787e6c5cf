import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { addMember } from '../../../test/support/add-member';
import { tableOfTests } from '../../../test/support/tables/table';
import { removeMember } from '../../conversations/members/members';
import { createConversation } from '../../conversations/runs/conversation';
import { openConnection } from './connections';
import { type DeltaOptions, deltaMs, deltasTo, lookMs } from './deltas';
import { ServerMessage } from './live';
import { frameBytes } from './live-frames';
import { conversationTopic, subscribe } from './subscriptions';
import { setWatched } from './watching';

// Real subscriptions. Only API Gateway is played.

const live = tableOfTests();
const now = () => new Date();
let conversationId: string;
let serial = 0;
let turn = 0;
let looks: number;
let asked: number;
let answered: number;
/** Moves the clock of the pauses, which stands still otherwise: on a busy machine everything lasts as long as it likes. */
let moved: number;
beforeEach(async () => {
  conversationId = `c${++serial}`;
  await createConversation(live, { id: conversationId, user: 'ada', agent: 'a' }, now());
  looks = 0;
  asked = 0;
  answered = 0;
  moved = 0;
  const begun = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => begun + moved);
  const { send } = live.client;
  jest.spyOn(live.client, 'send').mockImplementation(((command: object) => {
    if (command instanceof QueryCommand) looks += 1;
    asked += 1;
    return (send as (command: object) => Promise<unknown>).call(live.client, command).finally(() => {
      answered += 1;
    });
  }) as never);
});
afterEach(() => jest.restoreAllMocks());

async function subscribes(id: string, seconds = 3_600, who: { user?: string; groups?: string[] } = {}): Promise<void> {
  const holder = { user: 'ada', deciders: [], groups: [], until: Date.now() / 1_000 + seconds, ...who };
  await openConnection(live, id, holder, now());
  await subscribe(live, id, conversationTopic(conversationId), holder, now());
}
const sees = (id: string, visible = true) => setWatched(live, id, { conversationId, visible, turn: ++turn }, now());
async function watches(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await subscribes(id);
    await sees(id);
  }
}

type Delta = Extract<ServerMessage, { type: 'delta' }>;
const gone = Object.assign(new Error('gone'), { name: 'GoneException' });

/** Opens the deltas of a reply. `take` plays API Gateway for a connection. */
function given(
  take: (id: string, signal: AbortSignal) => Promise<void> = async () => undefined,
  more: Partial<DeltaOptions> = {},
) {
  const posts: { id: string; at: number; delta: Delta; bytes: number }[] = [];
  const failures: string[] = [];
  const unwanted = new AbortController();
  const open = deltasTo({
    table: live,
    live,
    now,
    failed: ({ name }, id) => failures.push(`${id}: ${name}`),
    async post(id, frame, signal) {
      const at = performance.now();
      const delta = ServerMessage.parse(JSON.parse(frame)) as Delta;
      posts.push({ id, at, delta, bytes: Buffer.byteLength(frame) });
      await take(id, signal);
    },
    ...more,
  });
  const feed = open({ conversationId, seq: 2, attempt: 3 }, unwanted.signal);
  return {
    feed,
    posts,
    failures,
    unwanted,
    to: (id: string) => posts.filter((post) => post.id === id).map(({ delta }) => delta),
    /** Joins the deltas that a connection has got, which have no gap. */
    text: (id: string) =>
      posts
        .filter((post) => post.id === id)
        .reduce((text, { delta }) => {
          expect(delta.from).toBe(text.length);
          return text + delta.text;
        }, ''),
  };
}
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};
/** Until all looks have their answers, and what follows from these is done. */
async function settled(): Promise<void> {
  do await new Promise(setImmediate);
  while (asked > answered);
  await new Promise(setImmediate);
}
/** Timers that fire when the clock is moved, in order. */
function timersByHand() {
  let due: { at: number; work: () => void }[] = [];
  return {
    later(work: () => void, ms: number) {
      const timer = { at: performance.now() + ms, work };
      due.push(timer);
      return () => {
        due = due.filter((one) => one !== timer);
      };
    },
    async advance(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed++) {
        moved += 1;
        const ripe = due.filter(({ at }) => at <= performance.now());
        due = due.filter((timer) => !ripe.includes(timer));
        for (const { work } of ripe) work();
        await settled();
      }
    },
  };
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('who watches gets all words in order, in messages that are at least 50 ms apart, and the rest at the end (R207)', async () => {
  await watches('a', 'b');
  const { later, advance } = timersByHand();
  const { feed, posts, to, text } = given(undefined, { later });
  const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
  for (const word of words) {
    feed.add(word);
    await advance(5);
  }
  const paced = to('a').length;
  feed.close();
  for (const id of ['a', 'b']) expect(text(id)).toBe(words.join(''));
  expect(to('a')[0]).toEqual({ type: 'delta', conversationId, seq: 2, attempt: 3, from: 0, text: expect.any(String) });
  const times = posts.filter(({ id }) => id === 'a').map(({ at }) => at);
  for (let nth = 1; nth < paced; nth++) expect(times[nth]! - times[nth - 1]!).toBeCloseTo(deltaMs, 5);
  // In 300 ms. Who watches is asked again after 250.
  expect([paced, looks]).toEqual([6, 2]);
});

test('nothing is sent when nobody watches: no subscriber, a hidden page, a token that has ended (R207)', async () => {
  await watches('hidden');
  await sees('hidden', false);
  await subscribes('over', -1);
  await sees('over');
  const { feed, posts } = given();
  for (let count = 0; count < 20; count++) {
    feed.add('word ');
    await pause(10);
  }
  feed.close();
  await pause(10);
  expect([posts, looks]).toEqual([[], 1]);
});

test('who was removed, or has given it back, gets no word a second later, although they still follow it (R267)', async () => {
  const own = { conversationId, by: 'ada' };
  await addMember(live, own, 'user:ben', { role: 'watcher' });
  await addMember(live, own, 'group:sales', { role: 'member' });
  await watches('ada');
  const others = { ben: { user: 'ben' }, gus: { user: 'gus', groups: ['sales'] }, eve: { user: 'eve' } };
  for (const [id, who] of Object.entries(others)) {
    await subscribes(id, 3_600, who);
    await sees(id);
  }
  const { later, advance } = timersByHand();
  const { feed, text } = given(undefined, { later });
  feed.add('');
  await settled();
  feed.add('For all. ');
  await advance(deltaMs);
  for (const name of ['user:ben', 'group:sales']) await removeMember(live, own, name, now());
  moved += lookMs;
  feed.add('For Ada.');
  await advance(deltaMs + 1);
  feed.close();
  await settled();
  const all = 'For all. ';
  expect(['ada', 'ben', 'gus', 'eve'].map(text)).toEqual([`${all}For Ada.`, all, all, '']);
});

test('what comes after a pause waits until it is known who may read it, also at the end (R267)', async () => {
  await addMember(live, { conversationId, by: 'ada' }, 'user:ben', { role: 'watcher' });
  await subscribes('ben', 3_600, { user: 'ben' });
  await sees('ben');
  const { feed, text } = given();
  feed.add('One. ');
  await until(() => text('ben') !== '');
  await removeMember(live, { conversationId, by: 'ada' }, 'user:ben', now());
  moved += lookMs + 1;
  feed.add('Two.');
  feed.close();
  await settled();
  expect(text('ben')).toBe('One. ');
});

test('a page that opens in the middle gets what follows, after the end of what there is (R207)', async () => {
  const { feed, to, posts } = given();
  const before = 'x'.repeat(9_000);
  feed.add(before);
  await settled();
  await watches('late');
  feed.add(' Not yet.');
  await pause(80);
  expect(posts).toEqual([]);
  moved += 2_000;
  feed.add(' Now');
  await until(() => posts.length === 1);
  const [first] = to('late');
  expect([first!.from, first!.text]).toEqual([9_013 - 4_000, `${before} Not yet. Now`.slice(-4_000)]);
  feed.add(' more.');
  await until(() => posts.length === 2);
  expect(to('late')[1]).toMatchObject({ from: 9_013, text: ' more.' });
  // It is hidden: the next look finds nobody.
  await sees('late', false);
  moved += 2_000;
  feed.add(' Unseen.');
  await settled();
  expect(looks).toBe(3);
  feed.add(' Unsent.');
  await pause(60);
  feed.close();
  expect(posts.filter(({ delta }) => delta.text.includes('Unsent'))).toEqual([]);
});

test('a slow connection delays neither the model nor the others, and then gets all at once (R207)', async () => {
  await watches('slow', 'quick');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { feed, text, to } = given((id) => (id === 'slow' ? held : Promise.resolve()));
  for (let count = 0; count < 10; count++) {
    feed.add(`${count} `);
    await pause(60);
  }
  await until(() => text('quick').endsWith('9 '));
  expect(to('slow')).toHaveLength(1);
  release();
  await until(() => text('slow').endsWith('9 '));
  expect(to('slow')).toHaveLength(2);
  feed.close();
});

test('a connection that is gone gets nothing more; one that fails is tried again at the next look (R207)', async () => {
  await watches('gone', 'failing', 'fine');
  let isDown = true;
  const { feed, to, text, failures } = given(async (id) => {
    if (id === 'gone') throw gone;
    if (id === 'failing' && isDown) throw new TypeError('down');
  });
  feed.add('One ');
  await until(() => text('fine') === 'One ');
  feed.add('two ');
  await until(() => text('fine') === 'One two ');
  isDown = false;
  moved += 2_000;
  feed.add('three.');
  await until(() => to('failing').length === 2);
  expect([to('gone').length, failures]).toEqual([1, ['failing: TypeError']]);
  expect(to('failing')[1]).toMatchObject({ from: 0, text: 'One two three.' });
  feed.close();
});

test('once the reply is cut off, nothing follows; a look that fails changes nothing (R207)', async () => {
  await watches('a');
  const { feed, posts, unwanted } = given();
  feed.add('One ');
  await until(() => posts.length === 1);
  feed.add('two ');
  unwanted.abort();
  feed.close();
  await pause(80);
  expect(posts).toHaveLength(1);

  jest.spyOn(live.client, 'send').mockImplementation((() => Promise.reject(new RangeError('throttled'))) as never);
  const other = given();
  other.feed.add('Three.');
  other.feed.close();
  await until(() => other.failures.length === 1);
  expect([other.posts, other.failures]).toEqual([[], ['undefined: RangeError']]);
});

test('a message fits into a frame whatever it says, and no character is cut (R207, R191)', async () => {
  await watches('a');
  const { feed, posts, text } = given();
  feed.add('\u0001');
  await until(() => posts.length === 1);
  feed.add('\u0001'.repeat(8_000));
  await until(() => text('a').length === 8_001);
  feed.add('🙂'.charAt(0));
  await pause(60);
  feed.add('🙂'.charAt(1));
  await until(() => text('a').endsWith('🙂'));
  feed.close();
  expect(Math.max(...posts.map(({ bytes }) => bytes))).toBeLessThan(frameBytes);
  expect(posts).toHaveLength(4);
});
