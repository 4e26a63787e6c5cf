import { tableOfTests } from '../../../test/support/tables/table';
import type { LoopInput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import { defineAgent } from '../../conversations/agent/agent';
import type { ModelRequest } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { cancelRun } from '../../conversations/conversation/cancel';
import { createConversation } from '../../conversations/runs/conversation';
import { LogReader } from '../../conversations/runs/log';
import { segmentOf } from '../../conversations/runs/run';
import { readMeta } from '../../conversations/store/table';
import { openConnection } from '../../people/live/connections';
import { deltasTo } from '../../people/live/deltas';
import { conversationTopic, subscribe } from '../../people/live/subscriptions';
import { setWatched } from '../../people/live/watching';
import { viewConversation } from '../../people/views/view';
import { advance, type Loop } from './advance';

// A whole step, whose words go to a page that watches. The page's connection is played, and so is the model.

const table = tableOfTests();
const now = () => new Date();
const deployment = registry([defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools: [] })]);
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

async function watched(id: string): Promise<LoopInput> {
  await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello' }, now());
  const holder = { user: 'ada', deciders: [], groups: [], until: Date.now() / 1_000 + 600 };
  await openConnection(table, `of ${id}`, holder, now());
  await subscribe(table, `of ${id}`, conversationTopic(id), holder, now());
  await setWatched(table, `of ${id}`, { conversationId: id, visible: true, turn: 1 }, now());
  return segmentOf((await readMeta(table, id))!)!.input as LoopInput;
}

/** @param post plays API Gateway. */
function loopThat(
  says: (onText: (piece: string) => void, request: ModelRequest) => Promise<string>,
  post: () => Promise<void>,
) {
  const sent: { from: number; text: string; attempt: number }[] = [];
  const loop: Loop = {
    ...{ table, logs: new LogReader(table), registry: deployment, now, limits: {} },
    deadline: new AbortController().signal,
    deltas: deltasTo({
      ...{ live: table, now, failed: () => undefined },
      async post(_, frame) {
        sent.push(JSON.parse(frame));
        await post();
      },
    }),
    model: {
      about: () => ({ model: 'm', maker: 'm' }),
      async reply(request) {
        const text = await says(request.onText!, request);
        return { text, toolCalls: [], usage: { ...noUsage, modelCalls: 1 } };
      },
    },
  };
  return { loop, sent };
}
const textIn = async (id: string) => (await viewConversation(table, id, 'ada')).messages.at(-1)!;

test.each([
  ['never answers', () => new Promise<void>(() => undefined)],
  ['fails', () => Promise.reject(new TypeError('fetch failed'))],
])('a step whose page %s is committed as any other, and its first words were sent (R207)', async (name, post) => {
  const id = `step-${name.replace(' ', '-')}`;
  const input = await watched(id);
  const { loop, sent } = loopThat(async (onText) => {
    onText('Half a sen');
    await until(() => sent.length === 1);
    onText('tence, and the rest.');
    return 'Half a sentence, and the rest.';
  }, post);
  await advance(loop, input);
  expect(sent).toEqual([expect.objectContaining({ from: 0, text: 'Half a sen', attempt: 1 })]);
  expect(await textIn(id)).toMatchObject({ text: 'Half a sentence, and the rest.', status: 'complete' });
});

test('after a stop no word is sent, although the model goes on (R81, R207)', async () => {
  const id = 'stopped';
  const input = await watched(id);
  const { loop, sent } = loopThat(
    async (onText, { signal }) => {
      onText('One. Two. ');
      await until(() => sent.length === 1);
      await cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now());
      onText('Three. ');
      // The next row is refused, so the reply is unwanted.
      await until(() => signal!.aborted);
      const before = sent.length;
      onText('Four.');
      await new Promise((resolve) => setTimeout(resolve, 120));
      expect(sent.length).toBe(before);
      throw signal!.reason;
    },
    async () => undefined,
  );
  await advance(loop, input).catch(() => undefined);
  expect(sent.map(({ text }) => text).join('')).not.toContain('Four');
  expect((await textIn(id)).status).toBe('cancelled');
});
