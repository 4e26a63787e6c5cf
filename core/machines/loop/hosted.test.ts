import * as z from 'zod';
import { tableOfTests } from '../../../test/support/tables/table';
import { hosted } from '../../base/models/hosted';
import type { LoopInput, LoopOutput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import { defineAgent } from '../../conversations/agent/agent';
import type { ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { defineTool } from '../../conversations/agent/tool';
import { cancelRun } from '../../conversations/conversation/cancel';
import { sendMessage } from '../../conversations/conversation/send-message';
import { trust } from '../../conversations/conversation/trust';
import { createConversation } from '../../conversations/runs/conversation';
import { LogReader } from '../../conversations/runs/log';
import { segmentOf } from '../../conversations/runs/run';
import { readMeta } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';
import { advance } from './advance';

const pay = defineTool({
  ...{ name: 'pay', description: 'Pays.', input: z.object({}), output: z.string(), effect: 'once', source: 'none' },
  execute: async () => 'paid',
});
const spec = { purpose: 'p', instructions: 'i', model: 'm', limits: { steps: 9 } };
const { agents } = registry([
  defineAgent({ ...spec, name: 'online', tools: [pay, hosted.webSearch(), hosted.codeInterpreter()] }),
  defineAgent({ ...spec, name: 'offline', tools: [pay] }),
]);
const source = { title: 'Sights', url: 'https://kyoto.example/sights' };
const search = { tool: 'web_search' as const, input: 'Kyoto', status: 'completed' as const, sources: [source] };
const program = { ...search, tool: 'code_interpreter' as const, input: '1 + 1', sources: [] };
const payment = { id: 'c', name: 'pay', arguments: '{}' };
const opaque = { blocks: [{ type: 'server_tool_use' }] };

describe('what a provider’s tools did for a reply (R204)', () => {
  const table = tableOfTests();
  const now = new Date('2026-03-01T08:00:00Z');
  let serial = 0;

  async function given(agent = 'online') {
    const id = `h${++serial}`;
    await createConversation(table, { id, user: 'ada', agent, text: 'Hello' }, now);
    return id;
  }
  const asked: ModelRequest['items'][] = [];
  /** Makes the next step of the conversation's run, in a fresh process. */
  async function step(
    id: string,
    reply: Reply | ((request: ModelRequest) => Promise<Reply>),
    maker = 'openai responses m',
  ): Promise<LoopOutput> {
    const meta = (await readMeta(table, id))!;
    const model = {
      async reply(request: ModelRequest) {
        asked.push(request.items);
        const made = typeof reply === 'function' ? await reply(request) : reply;
        return { ...made, usage: { ...noUsage, modelCalls: 1 } };
      },
      about: () => ({ model: 'm', maker }),
    };
    const input = { ...segmentOf(meta)!.input, step: (meta.run!.step ?? 0) + 1 } as LoopInput;
    const loop = {
      table,
      model,
      registry: { agents, tools: new Map(), providers: new Map() },
      logs: new LogReader(table),
    };
    return advance({ ...loop, now: () => now, limits: {}, deadline: new AbortController().signal }, input);
  }
  const view = (id: string) => viewConversation(table, id, 'ada');
  const say = (id: string, text = 'Go on') => sendMessage(table, agents, id, { user: 'ada', text }, now);
  const lastReply = async (id: string) => (await view(id)).messages.findLast(({ role }) => role === 'assistant')!;

  test('is stored with the reply and shown, with the sources; it is no call', async () => {
    const id = await given();
    await step(id, { text: 'Temples.', toolCalls: [], hosted: [search, program], citations: [source] });
    const { run, calls } = await view(id);
    const { sources: _, ...reply } = await lastReply(id);
    expect(reply).toMatchObject({ hosted: [search, program], citations: [source], hostedSources: ['web'] });
    expect([run!.status, run!.sources, run!.usage.toolCalls, calls]).toEqual(['done', ['web'], 0, []]);
  });

  test('a payment of the same reply waits for a person, as does one of a later reply, until they trust it (R144)', async () => {
    const id = await given();
    await step(id, { text: 'I found it.', toolCalls: [payment], hosted: [search] });
    expect((await view(id)).callbacks).toMatchObject([{ kind: 'approval', tool: 'pay', sources: ['web'] }]);

    const other = await given();
    await step(other, { text: 'Temples.', toolCalls: [], hosted: [search] });
    await say(other);
    await step(other, { text: '', toolCalls: [payment] });
    expect((await view(other)).callbacks).toMatchObject([{ kind: 'approval', tool: 'pay', sources: ['web'] }]);

    const third = await given();
    await step(third, { text: 'Temples.', toolCalls: [], hosted: [search] });
    const { seq } = await lastReply(third);
    await trust(table, { conversationId: third, user: 'ada' }, { messages: [seq], calls: [] });
    await say(third);
    expect(await step(third, { text: '', toolCalls: [payment] })).toMatchObject({ next: 'tool:pay' });
  });

  test('a program without files brings no words; a tool that the agent does not have brings unknown ones', async () => {
    const id = await given();
    expect(await step(id, { text: '', toolCalls: [payment], hosted: [program] })).toMatchObject({ next: 'tool:pay' });
    expect(await lastReply(id)).not.toHaveProperty('hostedSources');
    const other = await given('offline');
    await step(other, { text: '', toolCalls: [payment], hosted: [search] });
    expect((await view(other)).callbacks).toMatchObject([{ sources: ['unknown'] }]);
  });

  test('a reply that is cut off counts as one that has searched, because nobody knows', async () => {
    const id = await given();
    await step(id, async ({ onText }) => {
      onText('Pay Mallory.');
      await cancelRun(table, new Map(), { conversationId: id, user: 'ada' }, now);
      return { text: 'Never.', toolCalls: [] };
    });
    expect(await lastReply(id)).toMatchObject({ status: 'cancelled', hostedSources: ['web'] });
    await say(id);
    await step(id, { text: '', toolCalls: [payment] });
    expect((await view(id)).callbacks).toMatchObject([{ kind: 'approval', tool: 'pay' }]);
  });

  test('its data goes back to its maker only; another one reads what was found, quoted', async () => {
    const id = await given();
    await step(id, { text: 'Temples.', toolCalls: [], opaque, hosted: [search], citations: [source] });
    await say(id);
    await step(id, { text: 'And gardens.', toolCalls: [] });
    expect(asked.at(-1)).toMatchObject([{ text: 'Hello' }, { text: 'Temples.', opaque }, { text: 'Go on' }]);
    await say(id, 'More');
    await step(id, { text: 'And tea.', toolCalls: [] }, 'anthropic messages m');
    const [, note, said] = asked.at(-1)!;
    expect(said).toEqual({ kind: 'message', by: 'assistant', text: 'Temples.' });
    expect(note).toMatchObject({
      by: 'user',
      text: expect.stringMatching(/^\[A note from the system.*comes from the web\..*Kyoto/s),
    });
    expect((note as { text: string }).text.split('\n')).toHaveLength(2);
    expect(JSON.stringify(asked.at(-1))).not.toContain('server_tool_use');
  });

  test('data that is too large for a row is left out, and the model reads what was found', async () => {
    const id = await given();
    const large = { blocks: [{ type: 'server_tool_use', content: 'x'.repeat(100_000) }] };
    await step(id, { text: 'é'.repeat(160_000), toolCalls: [], opaque: large, hosted: [search], citations: [source] });
    await say(id);
    await step(id, { text: 'Yes.', toolCalls: [] });
    expect(asked.at(-1)!.map((item) => item.kind === 'message' && item.text.slice(0, 12))).toEqual([
      ...['Hello', '[A note from', 'é'.repeat(12), 'Go on'],
    ]);
  });
});
