import type { Api, WaitingApproval } from 'vigil-client';
import { readsApprovals } from './approvals';
import { vigilState } from './vigil-state';

const me = { user: 'vera', groups: ['finance'], claims: {} };
const approval = (id: string, owner = 'ada'): WaitingApproval => ({
  conversationId: 'c',
  owner,
  agent: 'shop',
  callback: {
    id,
    version: 1,
    runId: 'r',
    kind: 'approval',
    tool: 'refund',
    prompt: 'May it?',
    status: 'pending',
    expiresAt: '2026-03-01T08:00:00Z',
  },
});

function opened(...pages: { approvals: WaitingApproval[]; cursor?: string }[][]) {
  jest.useFakeTimers();
  const store = vigilState();
  let left = [...(pages.shift() ?? [])];
  const api = {
    async approvals() {
      if (left.length === 0) left = [...(pages.shift() ?? [])];
      return left.shift()!;
    },
  } as unknown as Api;
  const ids = () => store.getState().approvals.map(({ callback }) => callback.id);
  return { store, ids, ...readsApprovals(store, api, me) };
}
afterEach(() => jest.useRealTimers());

test('all pages are read, the user’s own as well (R147, R156)', async () => {
  const { ids, read, store } = opened([
    { approvals: [approval('one')], cursor: 'next' },
    { approvals: [approval('own', 'vera'), approval('two')] },
  ]);
  await read();
  expect(ids()).toEqual(['one', 'own', 'two']);
  expect(store.getState().approvalsReading).toEqual({ is: 'ready' });
});

test('an approval that somebody else has decided goes with a notice, the user’s own decision without (R147)', async () => {
  const { ids, read, decided, store } = opened(
    [{ approvals: [approval('one'), approval('two'), approval('own', 'vera')] }],
    [{ approvals: [] }],
  );
  await read();
  decided('one');
  expect(ids()).toEqual(['two', 'own']);
  await read();
  expect(ids()).toEqual([]);
  expect(store.getState().notices.map(({ text }) => text)).toEqual([
    'Somebody else has decided about refund, or it has ended.',
  ]);
});

test('a change that arrives during a read is read, too (R147)', async () => {
  const { ids, read } = opened([{ approvals: [approval('one')] }], [{ approvals: [approval('one'), approval('two')] }]);
  await Promise.all([read(), read()]);
  expect(ids()).toEqual(['one', 'two']);
});
