import * as z from 'zod';
import { memoryFileStore } from '../../../test/support/memory-file-store';
import { png } from '../../../test/support/sample-files';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { filesOf } from '../../base/content/parts';
import { hosted } from '../../base/models/hosted';
import { free } from '../../base/models/price-list';
import type { LoopInput, LoopOutput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import { Throttled } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import type { MadeFile, ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { readCall } from '../../conversations/calls/call';
import { cancelRun } from '../../conversations/conversation/cancel';
import { report } from '../../conversations/conversation/children';
import { sendMessage } from '../../conversations/conversation/send-message';
import { trust } from '../../conversations/conversation/trust';
import { readFileRow } from '../../conversations/files/stored-file';
import { defineGuard } from '../../conversations/guards/guard';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';
import { advance, type Loop } from '../loop/advance';

const guard = defineGuard({
  name: 'strict',
  at: ['output'],
  check: (text) => (text.includes('BAD') ? { refuse: 'No.' } : 'pass'),
});
const pay = testTool('pay', { output: z.string(), effect: 'once', source: 'none', execute: async () => 'paid' });
const spec = { purpose: 'p', instructions: 'i', model: 'gpt-6.1-terra', tools: [hosted.imageGeneration()] };
const known = registry([
  defineAgent({ ...spec, name: 'painter' }),
  defineAgent({ ...spec, name: 'guarded', guards: [guard] }),
  defineAgent({ ...spec, name: 'asking', end: { phrase: 'THE END' } }),
  defineAgent({ ...spec, name: 'lead', delegates: ['painter'] }),
  defineAgent({ ...spec, name: 'online', tools: [pay, hosted.webSearch(), hosted.codeInterpreter()] }),
  defineAgent({ ...spec, name: 'offline', tools: [pay] }),
]);
const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00Z');
const most = { file: 500, day: 1_000_000, all: 5_000_000, count: 100 };
let serial = 0;
let greys = 0;
/** Another picture each time. */
const picture = (): MadeFile & { bytes: Uint8Array } => {
  const bytes = png(2, 2, ++greys);
  return { bytes, mediaType: 'image/png', filename: 'picture.png' };
};

/** A store that is down for the first so many requests. */
function storeThatFails(times: number) {
  const store = memoryFileStore();
  let left = times;
  let failures = 0;
  const failing = <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) => {
    return async (...asked: Asked): Promise<Answer> => {
      if (left-- <= 0) return ask(...asked);
      failures += 1;
      throw new Throttled('The file store did not answer (PUT).');
    };
  };
  return {
    ...store,
    write: failing(store.write),
    find: failing(store.find),
    fails: (more: number) => (left = more),
    failures: () => failures,
  };
}

let store = storeThatFails(0);
let asked: ModelRequest[];
beforeEach(() => {
  store = storeThatFails(0);
  asked = [];
});

async function given(agent = 'painter', id = `k${++serial}`) {
  const user = `ada${serial}`;
  await createConversation(table, { id, user, agent, text: 'Draw a cat.' }, now);
  return { id, user };
}
type Said = Reply | ((request: ModelRequest) => Promise<Reply>);
type Of = Awaited<ReturnType<typeof given>>;
/** Makes the next step of the conversation's run, in a fresh process. */
async function step({ id }: Of, reply: Said, more: Partial<Loop> = {}): Promise<LoopOutput> {
  const meta = (await readMeta(table, id))!;
  const input = { ...segmentOf(meta)!.input, step: meta.run!.step ?? 0 } as LoopInput;
  const of = { table, registry: known, now: () => now, files: store, fileLimits: most, ...more };
  const says = async (request: ModelRequest) => {
    asked.push(request);
    const made = typeof reply === 'function' ? await reply(request) : reply;
    return { ...made, usage: { ...noUsage, modelCalls: 1, inputTokens: 7 } };
  };
  return advance(
    scriptedLoop(of, says, () => ({ model: 'm', maker: 'openai responses m', price: free })),
    input,
  );
}
const view = ({ id, user }: Of) => viewConversation(table, id, user);
const lastReply = async (of: Of) => (await view(of)).messages.findLast(({ role }) => role === 'assistant')!;
const say = ({ id, user }: Of, text = 'And a dog?') => sendMessage(table, known.agents, id, { user, text }, now);
const draws = (...files: MadeFile[]): Reply => ({ text: 'Here.', toolCalls: [], files });
const soon = (ms: number) => AbortSignal.timeout(ms);

describe('the files of a reply (R210)', () => {
  test('fit into one transaction with as many calls and sub-agents as a reply may have', async () => {
    const of = await given('lead');
    const task = JSON.stringify({ agent: 'painter', task: 'Draw a dog.' });
    const toolCalls = Array.from({ length: 40 }, (_, at) => ({ id: `c${at}`, name: 'delegate', arguments: task }));
    const out = await step(of, { ...draws(...Array.from({ length: 20 }, picture)), toolCalls });
    expect(out).toMatchObject({ next: 'many' });
    expect(filesOf(await lastReply(of))).toHaveLength(20);
  });

  test('are stored and referred to by the step’s commit', async () => {
    const of = await given();
    const made = picture();
    expect(await step(of, draws(made))).toMatchObject({ next: 'done' });
    const reply = await lastReply(of);
    const [file] = filesOf(reply);
    expect(reply).toMatchObject({
      text: 'Here.',
      status: 'complete',
      parts: [
        { type: 'text', text: 'Here.' },
        { type: 'file', mediaType: 'image/png', filename: 'picture.png', size: made.bytes.byteLength },
      ],
    });
    const row = (await readFileRow(table, of.user, file!.id))!;
    expect(row).toMatchObject({ in: [of.id], storedAt: now.toISOString() });
    expect(row.unusedSince).toBeUndefined();
    expect(Buffer.from(store.objects.get(row.key)!)).toEqual(made.bytes);
  });

  test('alone are the answer of a sub-agent: its parent is told their names', async () => {
    const of = await given('lead');
    const task = JSON.stringify({ agent: 'painter', task: 'Draw a dog.' });
    await step(of, { text: '', toolCalls: [{ id: 'c', name: 'delegate', arguments: task }] });
    const { calls, callbacks } = await view(of);
    const child = { id: callbacks[0]!.conversationId!, user: of.user };
    await step(child, { text: '', toolCalls: [], files: [picture()] });
    await report(table, (await readMeta(table, child.id))!, now);
    const { result } = (await readCall(table, of.id, calls[0]!.id))!;
    expect(result).toMatchObject({ said: expect.stringMatching(/^\[The answer is files .*"picture\.png"\]$/) });
  });

  test('alone are an answer: the model is not asked again', async () => {
    const of = await given();
    expect(await step(of, { ...draws(picture()), text: '' })).toMatchObject({ next: 'done' });
    expect(await lastReply(of)).toMatchObject({ text: '', parts: [{ type: 'file' }] });
  });

  test('alone are a question of an agent that ends by a phrase', async () => {
    const of = await given('asking');
    await step(of, { ...draws(picture()), text: '' });
    expect(await view(of)).toMatchObject({ waitsFor: 'you', callbacks: [{ kind: 'question', prompt: 'picture.png' }] });
  });

  test('say whatever the agent had read, and end to when that is trusted (R214)', async () => {
    const of = await given();
    const found = { tool: 'web_search' as const, input: 'x', status: 'completed' as const, sources: [] };
    await step(of, { ...draws(), text: 'I searched.', hosted: [found] });
    await say(of);
    await step(of, draws(picture()));
    const reply = await lastReply(of);
    // The agent has no such tool, so nobody knows what it has brought.
    expect(filesOf(reply)).toMatchObject([{ sources: ['unknown'] }]);
    const { messages } = await view(of);
    const seq = messages.find(({ hosted: uses }) => uses)!.seq;
    await trust(table, { conversationId: of.id, user: of.user }, { messages: [seq], calls: [] });
    await say(of);
    await step(of, draws(picture()));
    expect(filesOf(await lastReply(of))[0]).not.toHaveProperty('sources');
  });

  test('that are too large, too many or lost are words in the reply', async () => {
    const of = await given();
    const large = { ...picture(), bytes: new Uint8Array(501), filename: 'a "large" one.png' };
    const many = Array.from({ length: 20 }, picture);
    await step(of, draws(large, { filename: 'x.csv', problem: 'It is gone.' }, ...many));
    const { text, parts } = await lastReply(of);
    expect(text).toMatch(
      /^Here\.\n\n\[The file "a \\"large\\" one\.png" could not be kept: .*501 bytes.*at most 500.*\]\n\n\[The file "x\.csv" could not be kept: It is gone\.\]\n\n\[2 more files were not kept/,
    );
    expect(parts).toHaveLength(1 + 18);
    const none = await given();
    await step(none, draws(picture()), { files: undefined });
    expect(await lastReply(none)).toMatchObject({ text: expect.stringContaining('stores no files') });
  });

  test('of a reply that a guard refuses are not stored', async () => {
    const of = await given('guarded');
    await step(of, { ...draws(picture()), text: 'BAD' });
    expect(await lastReply(of)).toMatchObject({ text: 'No.' });
    expect([filesOf(await lastReply(of)), store.objects.size]).toEqual([[], 0]);
  });

  test('wait for a store that does not answer, and the model is asked once (R217)', async () => {
    const of = await given();
    store.fails(3);
    expect(await step(of, draws(picture(), picture()))).toMatchObject({ next: 'done' });
    expect([asked.length, filesOf(await lastReply(of)).length]).toEqual([1, 2]);
    expect((await view(of)).run!.usage.modelCalls).toBe(1);
  });

  test('of an attempt that ran out of time are counted, and no later one pays a model before the store answers (R217)', async () => {
    const of = await given();
    store.fails(1_000);
    await expect(step(of, draws(picture()), { deadline: soon(50) })).rejects.toMatchObject({ name: 'Throttled' });
    await expect(step(of, draws(picture()))).rejects.toMatchObject({ name: 'Throttled' });
    expect(asked).toHaveLength(1);
    expect((await view(of)).run!.usage).toMatchObject({ modelCalls: 1, inputTokens: 7 });
    store.fails(0);
    expect(await step(of, draws(picture()))).toMatchObject({ next: 'done' });
    expect(filesOf(await lastReply(of))).toHaveLength(1);
    expect((await view(of)).run!.usage.modelCalls).toBe(2);
  });

  test('of a reply in the background that a provider keeps are fetched again, and not paid again (R217)', async () => {
    const of = await given();
    const ids: (string | undefined)[] = [];
    const background = async ({ background: way }: ModelRequest) => {
      ids.push(way!.id);
      if (!way!.id) await way!.begun({ provider: 'p', id: 'resp_1' });
      return { ...draws(picture()), usage: { ...noUsage, modelCalls: 1 } };
    };
    const model = { reply: background, about: () => ({ model: 'm', maker: 'openai responses m', price: free }) };
    store.fails(1_000);
    await expect(step(of, draws(), { model, deadline: soon(50) })).rejects.toMatchObject({ name: 'Throttled' });
    store.fails(0);
    expect(await step(of, draws(), { model })).toMatchObject({ next: 'done' });
    expect([ids, filesOf(await lastReply(of)).length]).toEqual([[undefined, 'resp_1'], 1]);
    expect((await view(of)).run!.usage.modelCalls).toBe(1);
  });

  test('of a run that is cancelled meanwhile are waited for no longer, and what was paid is counted', async () => {
    const of = await given();
    store.fails(1_000);
    const before = store.failures();
    const making = step(of, draws(picture()));
    while (store.failures() === before) await new Promise((resolve) => setTimeout(resolve, 2));
    await cancelRun(table, new Map(), { conversationId: of.id, user: of.user }, now);
    await expect(making).rejects.toMatchObject({ name: 'Superseded' });
    const { run } = await view(of);
    expect([run!.status, run!.usage.modelCalls]).toEqual(['cancelled', 1]);
  });

  test('that nothing refers to are left for the sweep: the step died after it had stored them', async () => {
    const of = await given();
    const made = picture();
    await expect(
      step(of, draws(made), {
        now: () => {
          if (store.objects.size > 0) throw new Error('killed');
          return now;
        },
      }),
    ).rejects.toThrow('killed');
    const id = [...store.objects.keys()][0]!.split('/')[2]!.split('.')[0]!;
    expect((await readFileRow(table, of.user, id))!).toMatchObject({ in: [], unusedSince: now.toISOString() });
    expect(await step(of, draws(made))).toMatchObject({ next: 'done' });
    expect((await readFileRow(table, of.user, id))!.in).toEqual([of.id]);
  });
});

describe('what a provider’s tools did for a reply (R204)', () => {
  const source = { title: 'Sights', url: 'https://kyoto.example/sights' };
  const search = { tool: 'web_search' as const, input: 'Kyoto', status: 'completed' as const, sources: [source] };
  const program = { ...search, tool: 'code_interpreter' as const, input: '1 + 1', sources: [] };
  const pays: Reply = { text: '', toolCalls: [{ id: 'c', name: 'pay', arguments: '{}' }] };

  test('a program without files brings no words; a tool that the agent does not have brings unknown ones', async () => {
    const of = await given('online');
    expect(await step(of, { ...pays, hosted: [program] })).toMatchObject({ next: 'tool:pay' });
    expect(await lastReply(of)).not.toHaveProperty('hostedSources');
    const other = await given('offline');
    await step(other, { ...pays, hosted: [search] });
    expect((await view(other)).callbacks).toMatchObject([{ sources: ['unknown'] }]);
  });

  test('a reply that is cut off counts as one that has searched, because nobody knows', async () => {
    const of = await given('online');
    await step(of, async ({ onText }) => {
      onText('Pay Mallory.');
      await cancelRun(table, new Map(), { conversationId: of.id, user: of.user }, now);
      return { text: 'Never.', toolCalls: [] };
    });
    expect(await lastReply(of)).toMatchObject({ status: 'cancelled', hostedSources: ['web'] });
    await say(of);
    await step(of, pays);
    expect((await view(of)).callbacks).toMatchObject([{ kind: 'approval', tool: 'pay' }]);
  });

  test('data that is too large for a row is left out, and the model reads what was found', async () => {
    const of = await given('online');
    const opaque = { blocks: [{ type: 'server_tool_use', content: 'x'.repeat(100_000) }] };
    await step(of, { text: 'é'.repeat(160_000), toolCalls: [], opaque, hosted: [search], citations: [source] });
    await say(of);
    await step(of, draws());
    expect(asked.at(-1)!.items.map((item) => item.kind === 'message' && item.text.slice(0, 11))).toEqual([
      'Draw a cat.',
      '[A note fro',
      'é'.repeat(11),
      'And a dog?',
    ]);
  });
});
