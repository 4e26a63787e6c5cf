import type { WaitingApproval } from 'vigil-client';
import { answering, clientOfSockets } from '../../../test/support/page/answering';
import { tellDecisions } from './approvals';
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

const { answers } = answering();

async function given(...waiting: WaitingApproval[]) {
  const store = vigilState();
  const client = clientOfSockets();
  const { approvals } = client;
  const decide = tellDecisions(store, client, me);
  const waits = (...left: WaitingApproval[]) => {
    answers['GET /approvals?'] = { approvals: left };
    return approvals.read();
  };
  await waits(...waiting);
  const ids = () => approvals.getSnapshot().approvals.map(({ callback }) => callback.id);
  return { store, decide, waits, ids, notices: () => store.getState().notices.map(({ text }) => text) };
}
const others = 'Somebody else has decided about “Refund”, or it has ended.';

test('an approval that somebody else has decided goes with a notice, the user’s own decision without (R147)', async () => {
  const { decide, waits, ids, notices } = await given(approval('one'), approval('two'), approval('own', 'vera'));
  answers['POST /conversations/c/callbacks/one'] = {};
  await decide('c', approval('one').callback, { approved: true });
  expect(ids()).toEqual(['two', 'own']);
  await waits();
  expect([ids(), notices()]).toEqual([[], [others]]);
});

test('an own decision whose news come before the response is no news; one that was too late is, with what was typed (R147)', async () => {
  const { store, decide, waits, notices } = await given(approval('one'), approval('two'));
  let respond: (answer: object) => void = () => undefined;
  answers['POST /conversations/c/callbacks/one'] = new Promise<object>((resolve) => {
    respond = resolve;
  });
  const decided = decide('c', approval('one').callback, { approved: true });
  await waits(approval('two'));
  respond({});
  await decided;
  expect(notices()).toEqual([]);
  answers['POST /conversations/c/callbacks/two'] = 409;
  store.setState({ drafts: new Map([['c two', 'Because']]) });
  await expect(decide('c', approval('two').callback, { approved: true })).rejects.toMatchObject({ status: 409 });
  await waits();
  expect(notices()).toEqual([`${others} What you had typed was not used.`]);
});
