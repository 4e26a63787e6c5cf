import { answering, clientOfSockets, promised, Socket, settle } from '../../../../test/support/page/answering';
import { summary } from '../../../../test/support/page/rows';
import type { HomePage, OwnTimer } from '../api-types';

const { requests, answers } = answering();

const nothing = { conversations: [] };
const empty: HomePage = {
  conversations: nothing,
  shared: nothing,
  active: nothing,
  failed: nothing,
  approvals: { approvals: [] },
  timers: { timers: [], conversations: [] },
  usage: [],
  invitations: [],
  isDeveloper: false,
};
const timer = (id: string, conversationId: string): OwnTimer => ({
  id,
  version: 1,
  kind: 'once',
  nextAt: '2026-04-05T08:00:00Z',
  status: 'active',
  fired: 0,
  createdAt: '2026-03-01T08:00:00Z',
  conversationId,
});
const homes = () => requests.filter((line) => line === 'GET /home').length;
const ids = (list: ReadonlyMap<string, unknown>) => [...list.keys()].sort();
const acknowledged = () => {
  for (const topic of [{ list: true }, { approvals: true }] as const)
    Socket.latest().says({ type: 'subscribed', ...topic });
};

/** Follows the home, and the lists as well. */
async function followed() {
  const client = clientOfSockets();
  const leave = [client.conversations, client.approvals, client.home].map((feed) => feed.subscribe(() => undefined));
  await settle();
  return { client, leave: () => leave.forEach((one) => void one()) };
}

test('one request fills the list, the approvals, the timers and what is spent (R162)', async () => {
  const { conversations, approvals, home } = clientOfSockets();
  const usage = [{ per: 'day' as const, what: 'steps' as const, used: 3, most: 5, variable: 'V' }];
  const timers = { timers: [timer('t', 'rests')], conversations: [summary('rests')] };
  answers['GET /home'] = {
    ...empty,
    conversations: { conversations: [summary('one')], cursor: 'c' },
    timers,
    usage,
    isDeveloper: true,
  };
  expect(home.getSnapshot().isDeveloper).toBeUndefined();
  await home.read();
  expect(home.getSnapshot()).toMatchObject({ status: 'ready', timers: [{ id: 't' }], usage, isDeveloper: true });
  expect(conversations.getSnapshot()).toMatchObject({ status: 'ready', hasMore: true });
  expect([ids(conversations.getSnapshot().byId), approvals.getSnapshot().status]).toEqual([['one', 'rests'], 'ready']);
  expect(requests).toEqual(['GET /home']);
});

test('what does not fit the first pages is read after them (R162)', async () => {
  const { conversations, home } = clientOfSockets();
  answers['GET /home'] = { ...empty, active: { conversations: [summary('first')], cursor: 'next' } };
  answers['GET /conversations?state=active&cursor=next'] = { conversations: [summary('second')] };
  await home.read();
  expect(requests.slice(1)).toEqual(['GET /conversations?state=active&cursor=next']);
  expect(ids(conversations.getSnapshot().byId)).toEqual(['first', 'second']);
});

test('while the home is followed, each connect and each pong cause one read of all lists (R162, R177)', async () => {
  answers['GET /home'] = empty;
  const { client, leave } = await followed();
  acknowledged();
  await jest.advanceTimersByTimeAsync(50);
  expect(requests.slice(1)).toEqual(['GET /home']);
  // The indexes lag.
  await jest.advanceTimersByTimeAsync(5_000);
  expect(homes()).toBe(2);
  Socket.latest().says({ type: 'pong' });
  await jest.advanceTimersByTimeAsync(50);
  expect(homes()).toBe(3);
  answers['GET /home'] = { ...empty, conversations: { conversations: [summary('missed')] } };
  Socket.latest().emit('close');
  await jest.advanceTimersByTimeAsync(1_500);
  acknowledged();
  await jest.advanceTimersByTimeAsync(50);
  expect([homes(), ids(client.conversations.getSnapshot().byId)]).toEqual([4, ['missed']]);
  leave();
  await jest.advanceTimersByTimeAsync(20_000);
  expect([homes(), requests.filter((line) => line.startsWith('GET')).length]).toEqual([4, 4]);
  expect(jest.getTimerCount()).toBe(0);
});

test('what happens during a read causes one more; showing the home does not', async () => {
  const { home } = clientOfSockets();
  const first = promised<HomePage>();
  answers['GET /home'] = first.promise;
  const read = home.read();
  const hide = home.show();
  first.resolve(empty);
  await read;
  expect(homes()).toBe(1);
  answers['GET /home'] = empty;
  await Promise.all([home.read(), home.read(), home.read()]);
  expect(homes()).toBe(3);
  hide();
  home.show()();
  await settle();
  expect(homes()).toBe(4);
});

test('a failure is shown in each place that has nothing yet', async () => {
  const { conversations, approvals, home } = clientOfSockets();
  answers['GET /home'] = 503;
  await home.read();
  const failed = { status: 'failed', error: { status: 503 } };
  for (const feed of [conversations, approvals, home]) expect(feed.getSnapshot()).toMatchObject(failed);
  answers['GET /home'] = empty;
  await home.read();
  answers['GET /home'] = 503;
  await home.read();
  for (const feed of [conversations, approvals, home])
    expect(feed.getSnapshot()).toMatchObject({ status: 'ready', error: undefined });
});

test('timers are pushed; those of a deleted conversation go, and no late page brings them back (R156)', async () => {
  answers['GET /home'] = { ...empty, timers: { timers: [timer('t', 'a'), timer('u', 'b')], conversations: [] } };
  const { client, leave } = await followed();
  await client.home.read();
  const { conversationId, ...row } = timer('v', 'b');
  Socket.latest().says({ type: 'rows', list: true, rows: [{ kind: 'timer', conversationId, row }] } as never);
  Socket.latest().says({ type: 'deleted', conversationId: 'a' });
  const left = () => client.home.getSnapshot().timers.map(({ id }) => id);
  expect(left()).toEqual(['u', 'v']);
  await client.home.read();
  client.home.merge([timer('t', 'a')]);
  expect(left().sort()).toEqual(['u']);
  leave();
});

test('what the user has spent is read again some seconds after a run rests, while it is shown', async () => {
  answers['GET /home'] = empty;
  answers['GET /usage'] = { usage: [] };
  const { client, leave } = await followed();
  const changed = (status: 'running' | 'done') => {
    const rows = [{ kind: 'conversation', row: summary('a', { status }) }];
    Socket.latest().says({ type: 'rows', list: true, rows } as never);
  };
  const usages = () => requests.filter((line) => line === 'GET /usage').length;
  changed('done');
  const hide = client.home.show();
  changed('running');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(usages()).toBe(0);
  changed('done');
  changed('done');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(usages()).toBe(1);
  changed('done');
  hide();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(usages()).toBe(1);
  leave();
});

test('an invitation comes while the home is followed, and goes when it is taken back (R267)', async () => {
  answers['GET /home'] = empty;
  const { client, leave } = await followed();
  acknowledged();
  await jest.advanceTimersByTimeAsync(50);
  const invitation = { conversationId: 'c', by: 'ben', role: 'member', at: '2026-03-01T08:00:00Z' };
  for (const invitations of [[invitation], []]) {
    answers['GET /invitations'] = { invitations };
    Socket.latest().says({ type: 'changed', list: true });
    await settle();
    expect(client.home.getSnapshot().invitations).toEqual(invitations);
  }
  // An answer that is overtaken, of either request, is old.
  const [home, first] = [promised<HomePage>(), promised<object>()];
  answers['GET /home'] = home.promise;
  void client.home.read();
  answers['GET /invitations'] = first.promise;
  Socket.latest().says({ type: 'changed', list: true });
  await settle();
  answers['GET /invitations'] = { invitations: [invitation] };
  Socket.latest().says({ type: 'changed', list: true });
  await settle();
  home.resolve(empty);
  first.resolve({ invitations: [] });
  await settle();
  expect(client.home.getSnapshot().invitations).toEqual([invitation]);
  leave();
});
