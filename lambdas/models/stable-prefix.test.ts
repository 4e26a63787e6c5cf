import * as z from 'zod';
import type { Item } from '../../core/base/content/items';
import { free } from '../../core/base/models/price-list';
import { noUsage } from '../../core/base/state/schemas';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { ModelRequest, Reply } from '../../core/conversations/agent/model';
import { requestOf as converseRequest } from '../../modules/bedrock/converse';
import { requestOf as chatRequest } from '../../modules/openai/chat';
import { requestOf as responsesRequest } from '../../modules/openai/responses';
import { memoryFileStore } from '../../test/support/memory-file-store';
import { blocksOf } from '../../test/support/servers/bedrock-server';
import { loopInTable } from '../../test/support/stories/loop-in-table';
import { look, nap, testTool } from '../../test/support/tables/steps';
import { tableOfTests } from '../../test/support/tables/table';
import { amendMessage } from '../../tools/timers/amend-message';
import { shownItems } from './shown-files';

// What a provider caches is the beginning that two requests share. A long run is played through the real loop, and each request is compared
// with the one before it, as each adapter sends it.

const read = testTool('read', { output: z.string(), execute: async () => 'A long page. '.repeat(400) });
const base = { purpose: 'p', model: 'gpt-6.1-terra', recall: true, contextTokens: 8_000, limits: { steps: 100 } };
const guide = defineAgent({
  ...base,
  name: 'guide',
  handOffs: ['clerk'],
  tools: [look, read, nap, amendMessage],
  // Zone and time are those of the run's beginning.
  instructions: ({ zone, now }) => `You guide. The run began at ${now.toISOString()} in ${zone}.`,
});
const clerk = defineAgent({ ...base, name: 'clerk', instructions: 'You sell.', tools: [look] });

type Calls = [name: string, args?: object][];
let serial = 0;
const reply = (text: string, ...calls: Calls): Reply => ({
  text,
  toolCalls: calls.map(([name, args = {}]) => ({
    id: `c${++serial}`,
    name,
    arguments: JSON.stringify(args),
    opaque: { thought: `of ${serial}` },
  })),
  ...(text && { opaque: { thought: text } }),
});
const handOff = (to: string): Calls[number] => [`hand_off_to_${to}`, { reason: 'They want that.' }];

const named = (request: ModelRequest, name: string): ModelRequest => ({
  ...request,
  agent: { ...request.agent, model: { ...request.agent.model, name } },
});
/** It moves with the requests, and is no part of the prefix. */
const mark = ',"prompt_cache_breakpoint":{"mode":"explicit"}';
const unmarked = (part: unknown) => JSON.stringify(part).replace(mark, '');
/** Each part of a request, in the order in which the provider reads it, as each adapter sends it. */
const adapters: Record<string, (request: ModelRequest) => string[]> = {
  responses(request) {
    const { tools = [], instructions, input } = responsesRequest({ ...request, cacheFields: true });
    return [...tools, instructions, ...(input as object[])].map(unmarked);
  },
  chat(request) {
    const { tools = [], messages } = chatRequest({ ...request, structuredOutput: true, cacheFields: true });
    return [...tools, ...messages].map(unmarked);
  },
  converse: (request) =>
    blocksOf(converseRequest(named(request, 'eu.anthropic.claude-sonnet-5'))).map(({ text }) => text),
};

describe('each request begins with the whole of the one before it (R200)', () => {
  const table = tableOfTests();
  let time = new Date('2026-03-01T08:00:00Z');
  let requests: (ModelRequest & { on: Date })[] = [];
  let script: Reply[] = [];
  const store = memoryFileStore();
  const limits = { images: 5, pdfs: 5, pages: 100, imageBytes: 1e6, pdfBytes: 1e6, bytes: 1e6 };
  const later = (hours: number) => {
    time = new Date(time.getTime() + hours * 3_600_000);
  };
  const later5Minutes = 1 / 12;

  function conversation(id: string) {
    requests = [];
    const files = store;
    const recall = async (_user: string, words: string) => ({ text: `You know of "${words}": they like trains.` });
    return loopInTable(
      {
        table,
        agents: [guide, clerk],
        recall,
        files,
        now: () => time,
        model: {
          about: () => ({ model: 'm', maker: 'm', price: free }),
          async reply(request) {
            requests.push({ ...request, items: await shownItems(request, limits), on: time });
            const next = request.agent.tools.length === 0 ? reply('They like trains.') : script.shift();
            if (!next) throw new Error('The script has ended.');
            return { ...next, usage: { ...noUsage, modelCalls: 1, inputTokens: 1 } };
          },
        },
      },
      id,
    );
  }

  /** Returns, by adapter, which requests do not begin with all of the one before: its number, and how many parts they share. */
  const breaks = () =>
    Object.fromEntries(
      Object.entries(adapters).map(([name, partsOf]) => [
        name,
        requests.flatMap((request, index) => {
          const before = index === 0 ? [] : partsOf(requests[index - 1]!);
          const parts = partsOf(request);
          const shared = before.findIndex((part, place) => part !== parts[place]);
          return shared < 0 ? [] : [{ request: index, shared, of: before.length }];
        }),
      ]),
    );
  const nothing = { responses: [], chat: [], converse: [] };

  test('with tools, parallel ones, memories, a moved user, an interrupted sleep, a wait of days, and further runs', async () => {
    const { start, tell, rest } = conversation('long');
    script = [
      reply('I look.', ['look']),
      reply('', ['look'], ['look'], ['look']),
      reply('', ['nap', { at: '2026-03-02T08:00:00Z' }]),
    ];
    expect(await start('Plan my trip', { timeZone: 'Europe/Berlin', language: 'de' })).toBe('wait');
    later(1);
    script = [reply('Good flight!', ['nap', { at: '2026-03-05T08:00:00Z' }])];
    expect(await tell('I fly to Tokyo now', { timeZone: 'Asia/Tokyo' })).toBe('wait');
    later(24 * 5);
    script = [reply('Your trip is planned.')];
    expect(await rest()).toBe('done');
    expect(breaks()).toEqual(nothing);
    // What is kept in mind is where it was said.
    const texts = requests.at(-1)!.items.flatMap((item: Item) => (item.kind === 'message' ? item.text : []));
    expect(texts.filter((text) => /time zone|trains/.test(text))).toEqual([
      expect.stringContaining('Europe/Berlin'),
      expect.stringContaining('"Plan my trip": they like trains'),
      expect.stringContaining('Asia/Tokyo'),
      expect.stringContaining('"I fly to Tokyo now": they like trains'),
    ]);

    // Instructions that depend on the time or the zone are written again when a run begins. Nothing else breaks.
    later(later5Minutes);
    script = [reply('', ['look']), reply('You are welcome.')];
    expect(await tell('Thanks')).toBe('done');
    const began = requests.length - 2;
    const tools = requests.at(-1)!.agent.tools.length;
    expect(breaks()).toEqual({
      responses: [{ request: began, shared: tools, of: expect.any(Number) }],
      chat: [{ request: began, shared: tools, of: expect.any(Number) }],
      converse: [{ request: began, shared: tools, of: expect.any(Number) }],
    });
  });

  test('a hand-over, an amended message and a summary break it once each, and no later than they must', async () => {
    const { start, tell } = conversation('broken');
    script = [
      reply('First.', ['look']),
      reply('Second.', ['amend_message', { text: 'Better.' }]),
      reply('', ['look']),
      reply('', handOff('clerk')),
      reply('', ['look']),
      reply('', handOff('guide')),
      reply('Back.'),
    ];
    expect(await start('Hello')).toBe('done');
    const { responses } = breaks();
    const [amended, over, back] = responses as { request: number; shared: number; of: number }[];
    const partsOf = (request: number) => adapters.responses!(requests[request]!);
    // All that stands before the amended message is shared.
    const first = partsOf(1).findIndex((part) => part.includes('"First."'));
    expect(amended).toEqual({ request: 2, shared: first, of: partsOf(1).length });
    // Another agent has other tools and instructions.
    expect([over, back]).toMatchObject([
      { request: 4, shared: expect.any(Number) },
      { request: 6, shared: expect.any(Number) },
    ]);
    expect(responses).toHaveLength(3);
    // The first agent goes on behind what it had sent itself.
    const own = partsOf(3);
    expect(partsOf(6).slice(0, own.length)).toEqual(own);

    later(later5Minutes);
    const soFar = requests.length;
    script = [...Array.from({ length: 8 }, () => reply('', ['read'])), reply('Read.')];
    expect(await tell('Read all of it')).toBe('done');
    const summary = requests.findIndex(({ agent }, index) => index >= soFar && agent.tools.length === 0);
    expect(summary).toBeGreaterThan(soFar);
    const made = breaks().converse!.filter(({ request }) => request > soFar);
    // The first long result brings the tool that reads on, once (R274).
    const long = requests.findIndex(({ agent }) => agent.tools.some(({ name }) => name === 'read_result'));
    // The summary has instructions of its own; what follows it shares the tools and instructions with what came before it.
    expect(made.map(({ request }) => request).filter((request) => request <= summary + 1)).toEqual([
      long,
      summary,
      summary + 1,
    ]);
    const kept = requests[summary + 1]!.agent.tools.length + 1;
    const parts = adapters.converse!;
    expect(parts(requests[summary + 1]!).slice(0, kept)).toEqual(parts(requests[summary - 1]!).slice(0, kept));
    expect(requests[summary]!.cache).toEqual({ key: 'broken', lasts: 'none' });
    expect(requests[summary + 1]!.cache).toEqual({ key: 'broken', lasts: 'minutes' });
  });
});
