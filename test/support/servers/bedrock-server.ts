import type { IncomingMessage } from 'node:http';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';
import { mediaFault, takesImage, takesPdf } from '../../../local/model-server/content-fault';
import { listen, readJson } from '../../../local/model-server/listen';
import { bedrockToolFault } from '../../../local/model-server/tool-schemas';
import type { CacheBlock, PromptCache } from './prompt-cache';

/** A block of a reply. A thought is signed, and must be sent back unchanged. */
export type Block =
  | { thought: string; signature?: string }
  | { redacted: string }
  | { format: string; pieces: Uint8Array[]; error?: string }
  | { text: string }
  | { id: string; name: string; input: object };

export interface BedrockReply {
  blocks?: Block[];
  stopReason?: string;
  usage?: Record<string, unknown>;
  /** An exception instead of the reply, or after its blocks. */
  exception?: { name: string; message: string; status?: number; retryAfter?: string; inStream?: boolean };
  /** What a guardrail has found. */
  trace?: object;
  /** Ends the stream without its final events. */
  breaksOff?: boolean;
  /** Says nothing more after its first delta, until the client hangs up. */
  hangs?: boolean;
}

export interface BedrockRequest {
  path: string;
  authorization?: string;
  // biome-ignore lint/suspicious/noExplicitAny: kept as received.
  body: any;
  /** Whether the client hung up before the end. */
  closed: boolean;
}

const codec = new EventStreamCodec(toUtf8, fromUtf8);
const text = (value: string) => ({ type: 'string' as const, value });
const frame = (kind: 'event' | 'exception', type: string, body: object): Uint8Array =>
  codec.encode({
    headers: {
      ':message-type': text(kind),
      ':content-type': text('application/json'),
      [`:${kind}-type`]: text(type),
    },
    body: fromUtf8(JSON.stringify(body)),
  });

/**
 * Bedrock's ConverseStream in its own wire format: a scripted model, and the requests that it received. It rejects what
 * Claude rejects, and marks of the cache that Bedrock rejects.
 *
 * @param cache counts the tokens of replies without a usage, by the rules of the request's model.
 */
export async function startBedrock({ cache }: { cache?: PromptCache } = {}) {
  const requests: BedrockRequest[] = [];
  let script: BedrockReply[] = [];

  const server = await listen(async (incoming: IncomingMessage, response) => {
    const body = (await readJson(incoming)) as object;
    const request = { path: incoming.url ?? '', authorization: incoming.headers.authorization, body, closed: false };
    requests.push(request as BedrockRequest);
    response.once('close', () => {
      request.closed = !response.writableFinished;
    });
    const path = decodeURIComponent(incoming.url ?? '');
    const reply = faultIn(body, path) ??
      pointFault(body, path) ??
      script.shift() ?? { exception: { name: 'ScriptExhausted', message: 'x', status: 500 } };
    const counted = cache ? usageBy(cache, body, path) : { inputTokens: 7, outputTokens: 5, totalTokens: 12 };
    const { blocks = [], exception, usage = counted } = reply;
    if (exception && !exception.inStream) {
      const headers = {
        'content-type': 'application/json',
        'x-amzn-errortype': exception.name,
        ...(exception.retryAfter !== undefined && { 'retry-after': exception.retryAfter }),
      };
      response.writeHead(exception.status ?? 400, headers).end(JSON.stringify({ message: exception.message }));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    const event = (type: string, fields: object) => response.write(frame('event', type, fields));
    event('messageStart', { role: 'assistant' });
    for (const [contentBlockIndex, block] of blocks.entries()) {
      if ('name' in block)
        event('contentBlockStart', {
          contentBlockIndex,
          start: { toolUse: { toolUseId: block.id, name: block.name } },
        });
      if ('pieces' in block)
        event('contentBlockStart', { contentBlockIndex, start: { image: { format: block.format } } });
      for (const delta of deltasOf(block)) {
        event('contentBlockDelta', { contentBlockIndex, delta });
        if (reply.hangs) return;
      }
      event('contentBlockStop', { contentBlockIndex });
    }
    if (exception) {
      const { name, message } = exception;
      response.end(frame('exception', name[0]!.toLowerCase() + name.slice(1), { message }));
      return;
    }
    if (!reply.breaksOff) {
      const stopReason = reply.stopReason ?? (blocks.some((block) => 'name' in block) ? 'tool_use' : 'end_turn');
      event('messageStop', { stopReason });
      event('metadata', {
        usage,
        metrics: { latencyMs: 1 },
        ...(reply.trace && { trace: { guardrail: reply.trace } }),
      });
    }
    response.end();
  });

  return {
    url: server.url,
    requests,
    stop: server.stop,
    script(replies: BedrockReply[]) {
      script = replies;
      requests.length = 0;
    },
  };
}

function deltasOf(block: Block): object[] {
  if ('text' in block) return block.text.match(/.{1,6}/gs)!.map((piece) => ({ text: piece }));
  if ('name' in block) {
    const json = Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : '';
    return (json.match(/.{1,6}/gs) ?? []).map((input) => ({ toolUse: { input } }));
  }
  if ('pieces' in block)
    return [
      ...block.pieces.map((piece) => ({ image: { source: { bytes: Buffer.from(piece).toString('base64') } } })),
      ...(block.error ? [{ image: { error: { message: block.error } } }] : []),
    ];
  if ('redacted' in block)
    return [{ reasoningContent: { redactedContent: Buffer.from(block.redacted).toString('base64') } }];
  const { thought, signature } = block;
  return [{ reasoningContent: { text: thought } }, ...(signature ? [{ reasoningContent: { signature } }] : [])];
}

/** What Bedrock keeps of requests, by model: undefined if it knows no marks. */
function marksOf(path: string): { least: number; isClaude: boolean } | undefined {
  if (/claude-(?:v2|instant|3-haiku|3-opus|3-sonnet|3-5-sonnet)/.test(path)) return undefined;
  if (/anthropic\.claude/.test(path)) {
    const least = /(?:opus|fable|mythos)-5/.test(path) ? 512 : /haiku-4-5|opus-4-[567]/.test(path) ? 4_096 : 1_024;
    return { least, isClaude: true };
  }
  return /amazon\.nova/.test(path) ? { least: 1_536, isClaude: false } : undefined;
}

interface Mark {
  cachePoint?: { type: string; ttl?: '5m' | '1h' };
}
// biome-ignore lint/suspicious/noExplicitAny: kept as received.
const partsOf = ({ system = [], messages = [], toolConfig }: any): [at: string, part: Mark & Record<string, any>][] => [
  ...(toolConfig?.tools ?? []).map((one: Mark, index: number) => [`#/toolConfig/tools/${index}`, one]),
  ...system.map((one: Mark, index: number) => [`#/system/${index}`, one]),
  ...messages.flatMap(({ content }: { content: Mark[] }, message: number) =>
    content.map((one, index) => [`#/messages/${message}/content/${index}`, one]),
  ),
];

/** Checks the marks: by a model that takes them, where it takes them, at most four, behind something, and the longest first. */
function pointFault(body: object, path: string): BedrockReply | undefined {
  const marks = marksOf(path);
  const parts = partsOf(body);
  const points = parts.filter(([, { cachePoint }]) => cachePoint);
  for (const [at, { cachePoint }] of points) {
    const isTaken = marks && (marks.isClaude || at.startsWith('#/system'));
    if (!isTaken)
      return refuse(`Malformed input request: ${at}: extraneous key [cachePoint] is not permitted, please reformat.`);
    if (cachePoint?.type !== 'default') return refuse(`Malformed input request: ${at}: type must be default`);
    if (cachePoint.ttl === '1h' && !marks.isClaude)
      return refuse('Extended TTL prompt caching is only supported for Anthropic models');
    const before = parts[parts.findIndex(([place]) => place === at) - 1]?.[1];
    if (at.endsWith('/0') || before?.cachePoint) return refuse(`${at}: a cache point must follow content.`);
  }
  if (points.length > 4) return refuse(`A maximum of 4 cache points may be provided. Found ${points.length}.`);
  const ttls = points.map(([, { cachePoint }]) => cachePoint?.ttl ?? '5m');
  const isOrdered = ttls.lastIndexOf('1h') < (ttls.indexOf('5m') + 1 || ttls.length + 1);
  return isOrdered ? undefined : refuse('A ttl of 1h must not come after a ttl of 5m.');
}

/** The parts of a request with the marks behind them, as the cache reads them. */
export function blocksOf(body: object): CacheBlock[] {
  const blocks: CacheBlock[] = [];
  for (const [, { cachePoint, ...part }] of partsOf(body)) {
    const last = blocks.at(-1);
    if (!cachePoint) blocks.push({ text: JSON.stringify(part) });
    else if (last) last.point = cachePoint.ttl ?? '5m';
  }
  return blocks;
}

function usageBy(cache: PromptCache, body: object, path: string): Record<string, unknown> {
  const { least = Number.POSITIVE_INFINITY } = marksOf(path) ?? {};
  const { total, read, written, writtenForHour } = cache.use(blocksOf(body), { least, finds: 'points' });
  return {
    inputTokens: total - read - written,
    outputTokens: 5,
    totalTokens: total + 5,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    cacheDetails: [
      { ttl: '1h', inputTokens: writtenForHour },
      { ttl: '5m', inputTokens: written - writtenForHour },
    ],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: kept as received.
type AnyBlock = Record<string, any>;
const mb = 1_000_000;
const documentName = /^[a-zA-Z0-9()[\]-]+(?: [a-zA-Z0-9()[\]-]+)*$/;

/**
 * Checks pictures and documents: the user's or a result's, of a format that their bytes have, not too many and not too large; documents with a
 * text beside them, and names that differ.
 */
function mediaFaultIn(messages: { role: string; content: AnyBlock[] }[], path: string): string | undefined {
  const names = new Set<string>();
  let [images, documents] = [0, 0];
  for (const [index, { role, content }] of messages.entries()) {
    const inResults = content.flatMap(({ toolResult }) => toolResult?.content ?? []);
    if (inResults.some(({ image }: AnyBlock) => image) && !/anthropic\.claude|amazon\.nova/.test(path))
      return "This model doesn't support the image content block in tool results.";
    if (content.some(({ document }) => document) && !content.some(({ text }) => text))
      return `messages.${index}: A text block is required when a document block is included.`;
    for (const { image, document } of content.flatMap((block) => [block, ...(block.toolResult?.content ?? [])])) {
      if (!image && !document) continue;
      if (role !== 'user') return 'Images and documents are supported in the user role only.';
      const { format, source } = image ?? document;
      const type = image ? `image/${format}` : `application/${format}`;
      const fault = mediaFault(type, source?.bytes, image ? takesImage : takesPdf);
      if (fault) return `messages.${index}: ${fault}`;
      const size = Buffer.byteLength(source.bytes, 'base64');
      if (size > (image ? 3.75 : 4.5) * mb)
        return `messages.${index}: the ${image ? 'image' : 'document'} is too large.`;
      if (image) images += 1;
      if (!document) continue;
      documents += 1;
      const { name } = document;
      if (!documentName.test(name) || name.length > 200)
        return `The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets: ${name}`;
      if (names.has(name))
        return "Messages can't contain duplicate document names. Rename the document and retry your request.";
      names.add(name);
    }
  }
  if (images > 20) return `too many images: ${images} > 20`;
  return documents > 5 ? `too many documents: ${documents} > 5` : undefined;
}

const refuse = (message: string): BedrockReply => ({ exception: { name: 'ValidationException', message } });

/**
 * Checks that roles alternate and begin with the user, that each call has its result in the next message, and that no
 * text is blank; and that the schemas of tools are accepted.
 */
function faultIn(
  // biome-ignore lint/suspicious/noExplicitAny: kept as received.
  { messages = [], toolConfig, guardrailConfig, additionalModelRequestFields }: any,
  path: string,
): BedrockReply | undefined {
  if (guardrailConfig && !(guardrailConfig.guardrailIdentifier && guardrailConfig.guardrailVersion))
    return refuse('guardrailConfig needs guardrailIdentifier and guardrailVersion.');
  if (additionalModelRequestFields?.guardrailConfig) return refuse('guardrailConfig: Extra inputs are not permitted');
  for (const [index, { toolSpec }] of (toolConfig?.tools ?? []).entries()) {
    if (!toolSpec) continue;
    const { name, description, inputSchema } = toolSpec;
    const fault = bedrockToolFault({ name, description, schema: inputSchema?.json, at: String(index) }, path);
    if (fault) return refuse(fault);
  }
  const media = mediaFaultIn(messages, path);
  if (media) return refuse(media);
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 ? 'assistant' : 'user'))
      return refuse('A conversation must alternate between user and assistant roles.');
    if (content.length === 0) return refuse(`messages.${index}: content is empty`);
    for (const block of content) {
      if (block.text !== undefined && !block.text.trim()) return refuse('text content blocks must be non-empty');
      if (block.toolUse && !toolConfig) return refuse('The toolConfig field must be defined when using toolUse.');
      if (!block.toolUse) continue;
      const answers = messages[index + 1]?.content ?? [];
      if (
        !answers.some(
          (one: { toolResult?: { toolUseId: string } }) => one.toolResult?.toolUseId === block.toolUse.toolUseId,
        )
      )
        return refuse(
          `tool_use ids were found without tool_result blocks immediately after: ${block.toolUse.toolUseId}`,
        );
    }
  }
  return undefined;
}

/** Starts it for the requests of this process, which go there until it stops. */
export async function startOwnBedrock(options?: Parameters<typeof startBedrock>[0]) {
  const { stop, ...server } = await startBedrock(options);
  const before = { ...process.env };
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  return {
    ...server,
    async stop() {
      process.env = before;
      await stop();
    },
  };
}
