import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { tableOfTests } from '../../../test/support/tables/table';
import { defineAgent } from '../../conversations/agent/agent';
import { registry } from '../../conversations/agent/registry';
import { cancelRun } from '../../conversations/conversation/cancel';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta } from '../../conversations/store/table';
import { openConnection } from '../../people/live/connections';
import { deltasTo } from '../../people/live/deltas';
import { conversationTopic, subscribe } from '../../people/live/subscriptions';
import { setWatched } from '../../people/live/watching';
import { viewConversation } from '../../people/views/view';
import { advance } from '../loop/advance';

// A whole step, whose words go to a page that watches. The page's connection is played, and so is the model.

const table = tableOfTests();
const now = () => new Date();
const deployment = registry([defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [] })]);
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

test('after a stop no word is sent, although the model goes on (R81, R207)', async () => {
  const id = 'stopped';
  await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello' }, now());
  const holder = { user: 'ada', deciders: [], groups: [], until: Date.now() / 1_000 + 600 };
  await openConnection(table, 'page', holder, now());
  await subscribe(table, 'page', conversationTopic(id), holder, now());
  await setWatched(table, 'page', { conversationId: id, visible: true, turn: 1 }, now());
  const sent: { text: string }[] = [];
  const post = async (_: string, frame: string) => void sent.push(JSON.parse(frame));
  const deltas = deltasTo({ table, live: table, now, failed: () => undefined, post });
  const loop = scriptedLoop({ table, registry: deployment, now, deltas }, async ({ onText, signal }) => {
    onText('One. Two. ');
    await until(() => sent.length === 1);
    await cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now());
    onText('Three. ');
    // The next row is refused, so the reply is unwanted.
    await until(() => signal.aborted);
    const before = sent.length;
    onText('Four.');
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(sent.length).toBe(before);
    throw signal.reason;
  });
  await advance(loop, segmentOf((await readMeta(table, id))!)!.input).catch(() => undefined);
  expect(sent.map(({ text }) => text).join('')).not.toContain('Four');
  expect((await viewConversation(table, id, 'ada')).messages.at(-1)!.status).toBe('cancelled');
});
