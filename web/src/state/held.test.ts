import { RequestFailed } from 'vigil-client';
import { heldFrom, holding } from './held';
import { vigilState } from './vigil-state';

const passing = new RequestFailed(0, 'Vigil does not respond.');
const refused = (status: number, outcome?: object) =>
  new RequestFailed(status, 'No.', outcome && ({ type: 'x', title: 'x', status, outcome } as never));

const kept = new Map<string, string>();
const localStorage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
const place = 'vigil.held.vera';
let listeners: Map<string, (() => void)[]>;
const happens = (event: string, properties: object = {}) => {
  for (const listener of listeners.get(event) ?? []) (listener as (event: object) => void)(properties);
};
const listens = (event: string, listener: () => void) =>
  void listeners.set(event, [...(listeners.get(event) ?? []), listener]);
const navigator = { onLine: true };
const document = { visibilityState: 'visible', addEventListener: listens };

/** A page that has just been loaded. */
function page() {
  listeners = new Map();
  const store = vigilState();
  const answers: unknown[] = [];
  const decide = jest.fn(async () => {
    const answer = answers.shift();
    if (answer) throw answer;
  });
  const conversations = {
    subscribe: () => () => undefined,
    getSnapshot: () => ({ deleted: new Set() }),
    remove: decide,
  };
  const api = { cancelTimer: decide, forget: decide };
  const held = holding(store, { api, conversations } as never, {
    decide,
    cancelled: () => undefined,
    user: 'vera',
  });
  const statuses = () => [...store.getState().held.values()].map(({ status }) => status);
  return { store, held, sent: decide, answers, statuses };
}
const approval = (id = 'one') =>
  ({ is: 'decide', conversationId: 'c', callbackId: id, answer: { approved: true } }) as const;
const words = { words: 'Approved' };
const passes = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  kept.clear();
  navigator.onLine = true;
  document.visibilityState = 'visible';
  jest.useFakeTimers();
  Object.assign(globalThis, { localStorage, addEventListener: listens });
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  Object.defineProperty(globalThis, 'document', { value: document, configurable: true });
});
afterEach(() => jest.useRealTimers());

test('a decision is sent when its time is over, once; its receipt stays for a moment, and its draft goes (R264)', async () => {
  const { store, held, sent, statuses } = page();
  store.setState({ drafts: new Map([['c one', { reason: 'no' }]]) });
  held.begin(approval(), words);
  held.begin(approval(), words);
  await passes(7_900);
  expect([statuses(), sent.mock.calls]).toEqual([['held'], []]);
  await passes(200);
  expect([statuses(), sent.mock.calls]).toEqual([['done'], [['c', { id: 'one' }, { approved: true }]]]);
  expect([store.getState().drafts.size, kept.size]).toEqual([0, 0]);
  await passes(5_000);
  expect([statuses(), sent.mock.calls.length]).toEqual([[], 1]);
});

test('what is taken back is never sent, also in another tab; sent at once, it is sent once (R264)', async () => {
  const { held, sent, statuses } = page();
  held.begin(approval(), words);
  held.undo('one');
  held.begin(approval('two'), words);
  // Another tab has taken it back, and the news of that is late.
  kept.clear();
  await passes(9_000);
  expect([statuses(), sent.mock.calls.length, kept.size]).toEqual([[], 0, 0]);
  held.begin(approval('three'), words);
  await Promise.all([held.finish('three'), held.finish('three')]);
  await passes(20_000);
  expect(sent).toHaveBeenCalledTimes(1);
});

test('the time stops while the user is at the receipt, for a minute at most (R264)', async () => {
  const { held, sent } = page();
  held.begin(approval(), words);
  await passes(4_000);
  held.pause('one');
  await passes(20_000);
  expect(sent).toHaveBeenCalledTimes(0);
  held.resume('one');
  await passes(7_900);
  expect(sent).toHaveBeenCalledTimes(0);
  held.pause('one');
  await passes(60_000);
  expect(sent).toHaveBeenCalledTimes(1);
});

test('without a connection it is queued, can be taken back, survives a reload, and is sent on reconnect (R264)', async () => {
  navigator.onLine = false;
  const before = page();
  before.held.begin(approval(), words);
  before.held.begin(approval('two'), words);
  before.held.begin(approval('three'), words, true);
  await passes(8_100);
  expect([before.statuses(), before.sent.mock.calls.length]).toEqual([['queued', 'queued', 'queued'], 0]);
  before.held.undo('two');
  happens('pagehide');
  expect(before.sent).toHaveBeenCalledTimes(0);

  const after = page();
  await passes(0);
  expect([after.statuses(), after.sent.mock.calls.length]).toEqual([['queued', 'queued'], 0]);
  navigator.onLine = true;
  happens('online');
  await passes(0);
  expect([after.statuses(), after.sent.mock.calls.length, kept.size]).toEqual([['done', 'done'], 2, 0]);
});

test('without an answer it is sent again; what is stored already is done; what is refused says so (R264)', async () => {
  const { store, held, sent, answers, statuses } = page();
  answers.push(passing, refused(409, { approved: true, by: 'vera' }));
  held.begin(approval(), words);
  await held.finish('one');
  expect([statuses(), heldFrom(kept.get(place)!).length]).toEqual([['queued'], 1]);
  await passes(60_000);
  expect([statuses(), sent.mock.calls.length]).toEqual([[], 2]);

  for (const outcome of [{ approved: false, by: 'vera' }, { approved: true, by: 'hal' }, undefined]) {
    answers.push(refused(409, outcome));
    held.begin(approval(), words);
    await held.finish('one');
    expect(statuses()).toEqual(['refused']);
    expect(store.getState().held.get('one')?.problem).toBeTruthy();
    // It is not sent again, by whatever happens, until the user decides anew.
    happens('online');
    await passes(100_000);
  }
  expect([sent.mock.calls.length, kept.size]).toEqual([5, 0]);
});

test('a page that is left sends it, and the next one asks what became of it; a dead one leaves it to the next one (R264)', async () => {
  const left = page();
  left.held.begin(approval(), words);
  happens('pagehide');
  expect(left.sent).toHaveBeenCalledTimes(1);
  const next = page();
  expect(next.statuses()).toEqual(['queued']);
  await passes(0);
  expect([next.statuses(), next.sent.mock.calls.length]).toEqual([['done'], 1]);
  await passes(6_000);

  page().held.begin(approval('two'), words);
  const other = page();
  expect(other.statuses()).toEqual(['held']);
  await passes(7_000);
  other.held.undo('two');
  await passes(60_000);
  expect(other.sent).toHaveBeenCalledTimes(0);
});

test('a hidden page sends decisions, and keeps deletions until its user is back or their time is over (R264)', async () => {
  const { held, sent } = page();
  held.begin(approval(), words);
  held.begin({ is: 'delete', conversationId: 'd' }, { words: 'Deleting' });
  document.visibilityState = 'hidden';
  happens('visibilitychange');
  await passes(0);
  expect(sent.mock.calls).toEqual([['c', { id: 'one' }, { approved: true }]]);
  await passes(8_000);
  expect(sent).toHaveBeenLastCalledWith('d');
});

test('another tab shows what is held, and sends it only if the first one does not (R264)', async () => {
  const first = page();
  first.held.begin(approval(), words);
  const stored = kept.get(place)!;
  kept.clear();
  const second = page();
  kept.set(place, stored);
  happens('storage', { key: place });
  expect(second.statuses()).toEqual(['held']);
  // The first one is throttled.
  await passes(7_000);
  expect(second.sent).toHaveBeenCalledTimes(0);
  second.held.undo('one');
  await passes(90_000);
  expect([first.sent.mock.calls.length, second.sent.mock.calls.length]).toEqual([0, 0]);
});

test('what is done at once leaves its receipt, unless it has failed; pressed twice, it is done once (R264)', async () => {
  const { held, statuses } = page();
  let tries = 0;
  const work = async () => {
    tries += 1;
  };
  const both = await Promise.all([held.atOnce('row', 'Ended', work), held.atOnce('row', 'Ended', work)]);
  expect([both, statuses(), tries]).toEqual([[true, false], ['done'], 1]);
  await passes(5_000);
  expect(await held.atOnce('row', 'Ended', async () => false)).toBe(false);
  await expect(held.atOnce('row', 'Ended', () => Promise.reject(passing))).rejects.toBe(passing);
  expect(statuses()).toEqual([]);
});

test('what the storage has no room for is sent all the same; what it has of another kind is nothing (R264)', async () => {
  const { held, sent } = page();
  jest.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new Error('full');
  });
  held.begin(approval(), words);
  await passes(8_100);
  jest.restoreAllMocks();
  expect(sent).toHaveBeenCalledTimes(1);
  expect([heldFrom('{'), heldFrom(null)]).toEqual([[], []]);
});
