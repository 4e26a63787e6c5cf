import * as z from 'zod';
import { listPrices, type Price } from '../../../core/base/models/models';
import { defineProvider } from '../../../core/base/models/provider';
import { defineAgent } from '../../../core/conversations/agent/agent';
import type { Model } from '../../../core/conversations/agent/model';
import { defineTool, type Tool } from '../../../core/conversations/agent/tool';
import { readMeta, type Table } from '../../../core/conversations/store/table';
import { anthropicModel } from '../../../modules/anthropic/model';
import { bedrockModel } from '../../../modules/bedrock/model';
import { openaiModel } from '../../../modules/openai/model';
import { startAnthropic } from '../../../test/support/servers/anthropic-server';
import { startBedrock } from '../../../test/support/servers/bedrock-server';
import { startModelServer } from '../../../test/support/servers/model-server';
import { PromptCache } from '../../../test/support/servers/prompt-cache';
import { loopInTable } from '../../../test/support/stories/loop-in-table';
import { startTable } from '../../../test/support/tables/table';
import type { Figure } from '../measure';

/** The run: so many requests, the first with that prefix, and each with so many tokens more than the one before. */
const [requests, prefixTokens, tokensOfStep] = [20, 8_000, 1_500];
const turns = 8;
const textOf = (tokens: number, word: string) => `${word} `.repeat(tokens * 4).slice(0, tokens * 4);

interface Opened {
  model: Model;
  stop(): Promise<unknown>;
}

interface Kind {
  key: string;
  modelName: string;
  bar?: number;
  note: string;
  open(prices: Record<string, Price>): Promise<Opened>;
}

const key = { get: async () => 'bench', replaced: async () => false };
type Said = { name: string; id: string; page: number } | undefined;
const asks = (request: number): Said => ({ name: 'read', id: `c${request}`, page: request });
/** Calls in all requests but the last. */
const oneRun: Said[] = [...Array.from({ length: requests - 1 }, (_, index) => asks(index)), undefined];

async function openaiKind(api: 'responses' | 'chat', prices: Record<string, Price>): Promise<Opened> {
  const server = await startModelServer();
  const script = oneRun.map((said) =>
    said ? { toolCalls: [{ id: said.id, name: said.name, arguments: { page: said.page } }] } : { text: 'Done.' },
  );
  server.begin({ script, style: { cache: new PromptCache() } });
  return { model: openaiModel(key, { baseURL: server.url, api, cacheFields: true }, prices), stop: server.stop };
}

async function bedrockKind(prices: Record<string, Price>, script = oneRun, clock?: () => number): Promise<Opened> {
  const server = await startBedrock({ cache: new PromptCache(clock) });
  const blockOf = (said: Said) =>
    said ? { id: said.id, name: said.name, input: { page: said.page } } : { text: 'Done.' };
  server.script(script.map((said) => ({ blocks: [blockOf(said)] })));
  const before = { ...process.env };
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
  return {
    model: bedrockModel({ name: 'bedrock' }, prices),
    async stop() {
      process.env = before;
      await server.stop();
    },
  };
}

async function anthropicKind(prices: Record<string, Price>): Promise<Opened> {
  const server = await startAnthropic({ cache: new PromptCache() });
  server.script(
    oneRun.map((said) => ({
      blocks: [said ? { id: said.id, name: said.name, input: { page: said.page } } : { text: 'Done.' }],
    })),
  );
  return { model: anthropicModel(key, { baseURL: server.url }, prices), stop: server.stop };
}

const kinds: Kind[] = [
  {
    key: 'responses',
    modelName: 'gpt-6.1-terra',
    bar: 0.25,
    note: 'read 0.05, written 1.25',
    open: (prices) => openaiKind('responses', prices),
  },
  {
    key: 'chat',
    modelName: 'gpt-5',
    bar: 0.25,
    note: 'read 0.1, written without a charge',
    open: (prices) => openaiKind('chat', prices),
  },
  {
    key: 'converse',
    modelName: 'eu.anthropic.claude-sonnet-5',
    bar: 0.25,
    note: 'read 0.1, written 1.25',
    open: (prices) => bedrockKind(prices),
  },
  {
    key: 'messages',
    modelName: 'claude-sonnet-5',
    bar: 0.25,
    note: 'read 0.1, written 1.25',
    open: anthropicKind,
  },
  {
    key: 'converseNova',
    modelName: 'eu.amazon.nova-pro-v1:0',
    note: 'read 0.25, so no ratio can be below it; only the system text is marked, and what Nova caches by itself is not counted',
    open: (prices) => bedrockKind(prices),
  },
];
/** The ratio does not depend on the price of the input where the cache's are factors of it. */
const factored: Price = { input: 3, output: 0 };

/**
 * Plays one run through the real loop, with each kind of provider, against a scripted server that keeps prefixes as the provider does.
 *
 * @returns for each kind: the price of the run's input by what the server counted, divided by the same tokens at full price.
 */
export async function cachingBench(): Promise<Figure[]> {
  const table = await startTable();
  try {
    const figures: Figure[] = [];
    for (const kind of kinds) figures.push(await figureOf(table, kind));
    for (const rest of rests) figures.push(await figureOfRests(table, rest));
    return figures;
  } finally {
    await table.stop();
  }
}

async function figureOf(table: Table, { key: kind, modelName, bar, note, open }: Kind): Promise<Figure> {
  const price = { ...(listPrices[modelName] ?? factored), output: 0 };
  const { model, stop } = await open({ [modelName]: price });
  try {
    const agent = readerOf(modelName, [read]);
    const end = await loopInTable({ table, agents: [agent], model, now: () => new Date() }, kind).start('Read it all.');
    const { usage } = (await readMeta(table, kind))!.run!;
    if (end !== 'done' || usage.modelCalls !== requests)
      throw new Error(`${kind}: ${usage.modelCalls} requests, ${end}`);
    const { inputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, costMicrodollars } = usage;
    const counted = `${inputTokens} tokens, ${cachedInputTokens} read, ${cacheWriteTokens} written`;
    return {
      key: `modelInputRatio.${kind}`,
      name: `input of ${requests} steps, cached: ${kind}`,
      unit: '×',
      bar,
      value: costMicrodollars / (inputTokens * price.input),
      note: `${modelName}: ${note}; ${counted}`,
    };
  } finally {
    await stop();
  }
}

/** Conversations that rest. In each turn there is a call, if the agent has a tool, and the answer. */
const rests = [
  { key: 'answers', name: 'a person answers after 20 minutes', minutes: 20, hasTool: true },
  { key: 'mornings', name: 'a greeting each morning, without tools', minutes: 1_440, hasTool: false },
];
type Rest = (typeof rests)[number];

/** Compares what the loop asks of the cache with five minutes for every request. */
async function figureOfRests(table: Table, rest: Rest): Promise<Figure> {
  const ratio = (await priceOfRests(table, rest, true)) / (await priceOfRests(table, rest, false));
  return {
    key: `restsInputRatio.${rest.key}`,
    name: `${turns} turns, cached: ${rest.name}`,
    unit: '×',
    bar: 1,
    value: ratio,
    note: 'converse; compared with five minutes for every request',
  };
}

/** @param isTold whether the provider is told what the loop asks of the cache. */
async function priceOfRests(table: Table, { key: rest, minutes, hasTool }: Rest, isTold: boolean): Promise<number> {
  let time = Date.parse('2026-11-27T08:00:00Z');
  const modelName = 'eu.anthropic.claude-sonnet-5';
  const script = Array.from({ length: turns }, (_, turn) => [...(hasTool ? [asks(turn)] : []), undefined]).flat();
  const { model, stop } = await bedrockKind({ [modelName]: factored }, script, () => time);
  const told: Model = {
    about: model.about,
    reply: ({ cache, ...request }) =>
      model.reply({ ...request, cache: cache && { ...cache, lasts: isTold ? cache.lasts : 'minutes' } }),
  };
  try {
    const agent = readerOf(modelName, hasTool ? [read] : []);
    const id = `${rest}-${isTold}`;
    const { start, tell } = loopInTable({ table, agents: [agent], model: told, now: () => new Date(time) }, id);
    await start('Good morning.');
    for (let turn = 1; turn < turns; turn++) {
      time += minutes * 60_000;
      await tell('And now?');
    }
    const { run, earlierUsage } = (await readMeta(table, id))!;
    return run!.usage.costMicrodollars + earlierUsage.costMicrodollars;
  } finally {
    await stop();
  }
}

const readerOf = (name: string, tools: Tool[]) =>
  defineAgent({
    name: 'reader',
    purpose: 'Reads.',
    instructions: textOf(prefixTokens, 'Read'),
    tools,
    model: { name, ...providerOf(name) },
    limits: { steps: requests + 1 },
  });

const bedrock = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const anthropic = defineProvider({ name: 'anthropic', kind: 'anthropic' });
const providerOf = (name: string) =>
  name.startsWith('eu.') ? { provider: bedrock } : name.startsWith('claude-') ? { provider: anthropic } : {};
const read = defineTool({
  name: 'read',
  description: 'Reads a page.',
  effect: 'read',
  input: z.object({ page: z.number().int().describe('Which') }),
  output: z.string(),
  execute: async ({ page }) => textOf(tokensOfStep, `page${page}`),
});
