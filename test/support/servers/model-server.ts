import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import type { ResponseCreateParams, ResponseInputItem } from 'openai/resources/responses/responses';
import {
  anyText,
  anything,
  checkOptions,
  fields,
  flag,
  listOf,
  number,
  oneOf,
  optional,
} from '../../../core/base/schemas/definition';
import type { Deltas, Usage } from '../../../local/model-server/chat-completions';
import { embeddings } from '../../../local/model-server/embeddings';
import { errorBody, listen, readJson } from '../../../local/model-server/listen';
import { faultIn } from '../../../local/model-server/request-fault';
import { gate, send } from './model-reply';
import type { CacheBlock, PromptCache } from './prompt-cache';
import { asChat, chargesWrites, faultOf, faultOfCache } from './responses-request';

/** One reply of the scripted model, or the way in which it fails. */
export interface Reply {
  text?: string;
  /** `arguments` that are not a string are sent as JSON. A string is sent unchanged, even if it is not valid JSON. */
  toolCalls?: { id?: string; name: string; arguments: unknown /** Non-standard fields. */; extra?: object }[];
  /** The model's reasoning: encrypted in the Responses API, `reasoning_content` in chat completions. */
  thought?: string;
  /** Responses API: an error that ends the reply after its text. */
  failure?: { code: string; message: string };
  /** Responses API: the calls of hosted tools, before the text, and what the text cites. */
  hosted?: { type: string; [field: string]: unknown }[];
  annotations?: object[];
  /** Chat completions: pictures, as OpenRouter sends them: their addresses. */
  images?: string[];
  usage?: Usage;
  finishReason?: string;
  /** Before the reply begins. */
  delayMs?: number;
  /** Between two sentences (or fragments). */
  sentenceDelayMs?: number;
  /** Number of characters (text, then arguments) after which the stream pauses until `release()`. */
  holdAfter?: number;
  /** Number of characters after which the connection is cut. */
  closeAfter?: number;
  /** Sent unchanged instead of the stream, which then ends. */
  malformed?: string;
  /** A reply with neither text nor calls. */
  empty?: true;
  /** A status other than 200: an error with the body `error` (or OpenAI's usual one). */
  status?: number;
  error?: unknown;
  headers?: Record<string, string>;
}

const replyRule = fields<Reply>({
  text: optional(anyText),
  thought: optional(anyText),
  failure: anything,
  hosted: anything,
  annotations: anything,
  images: anything,
  usage: anything,
  status: optional(number),
  toolCalls: optional(
    listOf(
      fields<NonNullable<Reply['toolCalls']>[number]>({
        id: anything,
        name: anything,
        arguments: anything,
        extra: anything,
      }),
    ),
  ),
  finishReason: anything,
  malformed: optional(anyText),
  empty: optional(oneOf(true)),
  error: anything,
  delayMs: optional(number),
  sentenceDelayMs: optional(number),
  holdAfter: optional(number),
  closeAfter: optional(number),
  headers: anything,
});
const checked = (reply: Reply, index: number): Reply => {
  checkOptions(`reply ${index + 1} of the script`, reply, replyRule);
  return reply;
};
function checkedScript(script: Script): Script {
  if (typeof script !== 'function') script.forEach(checked);
  return script;
}
const checkedStyle = (style: Style): Style => {
  checkOptions('style', style, styleRule);
  return style;
};
const styleRule = fields<Style>({
  cache: anything,
  strict: optional(flag),
  usage: optional(flag),
  deltas: anything,
  embeddings: optional(flag),
  parallel: optional(flag),
});

/** A request as scripts read it, for both APIs. */
export type ChatRequest = ChatCompletionCreateParams & {
  api: 'chat' | 'responses';
  /** Path and query. */
  address: string;
  /** The input of the Responses API, as received. */
  input?: ResponseInputItem[];
  /** The hosted tools of the Responses API, as received. */
  hostedTools?: object[];
  instructions?: string;
  headers: IncomingHttpHeaders /** The client hung up before the end. */;
  closed: boolean;
};
export type Script = Reply[] | ((request: ChatRequest, index: number) => Reply | Promise<Reply>);

/** What servers of this API differ in. */
export interface Style {
  /** Whether usage is sent on request. Default true. */
  usage?: boolean;
  /** Default `whole`: whole sentences and tool calls at a time. */
  deltas?: Deltas;
  /** Default true. False: the path does not exist. */
  embeddings?: boolean;
  /** Counts the tokens of replies without a usage, by the rules of the request's model. */
  cache?: PromptCache;
  /** Default false. True: it rejects OpenAI's fields for the cache, as some servers reject all fields that they do not know. */
  strict?: boolean;
  /** Default true. False: a reply with several calls becomes as many replies. */
  parallel?: boolean;
}

export interface ModelServer {
  /** For OPENAI_BASE_URL. */
  url: string;
  /** Every request for a reply, in order, including rejected ones. */
  requests: ChatRequest[];
  readonly calls: number;
  /** The number of requests to /embeddings. */
  readonly embeddings: number;
  /** The files of containers, by `<container>/<file>`: their bytes, or the statuses that requests for them get first. */
  containers: Map<string, { bytes: Uint8Array; statuses?: number[] }>;
  /** Replaces the rest of the script. */
  script(script: Script): void;
  /** Clears everything for another story. */
  begin(story: { script?: Script; style?: Style }): void;
  append(...replies: Reply[]): void;
  /** Resolves as soon as a stream pauses at its `holdAfter`. */
  held(): Promise<void>;
  /** Releases the paused streams. */
  release(): void;
  stop(): Promise<void>;
}

/**
 * Starts a model that says what the test scripts, over the real protocol, so that the product's own client, parser and
 * error handling are tested. It rejects transcripts that OpenAI would reject.
 */
export async function startModelServer(
  options: { script?: Script; style?: Style; port?: number } = {},
): Promise<ModelServer> {
  const requests: ChatRequest[] = [];
  const hold = gate();
  let script = checkedScript(options.script ?? []);
  let drawn = 0;
  let queued: Reply[] = [];
  let style = checkedStyle(options.style ?? {});

  function play(next: Script): void {
    script = checkedScript(next);
    drawn = 0;
    queued = [];
  }

  async function draw(request: ChatRequest): Promise<Reply | undefined> {
    if (typeof script === 'function') {
      const index = drawn++;
      return checked(await script(request, index), index);
    }
    const reply = script[drawn];
    if (reply) drawn++;
    return reply;
  }

  async function nextReply(request: ChatRequest): Promise<Reply> {
    const fault = faultIn(request) ?? fieldFault(request, style);
    if (fault) return { status: 400, error: fault };
    const drawn = queued.shift() ?? (await draw(request));
    const reply = drawn && style.cache ? { usage: usageBy(style.cache, request), ...drawn } : drawn;
    if (!reply) {
      const message = `The scripted model has no reply for request ${requests.length}: its script has ${script.length}.`;
      // A run would wait for a server that fails.
      return { status: 400, error: errorBody(message, 'script_exhausted') };
    }
    const oneByOne = style.parallel === false || request.parallel_tool_calls === false;
    if (!oneByOne || !reply.toolCalls?.length) return reply;
    const [first, ...rest] = reply.toolCalls;
    queued = [...rest.map((call) => ({ toolCalls: [call] })), ...queued];
    return { ...reply, toolCalls: first ? [first] : [] };
  }

  async function complete(incoming: IncomingMessage, response: ServerResponse, api: ChatRequest['api']): Promise<void> {
    const body = (await readJson(incoming)) as ChatCompletionCreateParams & ResponseCreateParams;
    const fault = api === 'responses' ? faultOf(body) : undefined;
    if (fault) return json(response, 400, fault);
    const asked = api === 'responses' ? { ...body, ...asChat(body) } : body;
    const address = String(incoming.url);
    const request = { ...asked, api, address, headers: incoming.headers, closed: false } as ChatRequest;
    const number = requests.push(request);
    response.once('close', () => {
      request.closed = !response.writableFinished;
    });
    await send(response, request, await nextReply(request), { number, style, hold });
  }

  const containers: ModelServer['containers'] = new Map();
  const content = /^\/v1\/containers\/([\w-]+)\/files\/([\w-]+)\/content$/;

  /** As OpenAI: only with a key, and only as binary. */
  function giveFile({ url = '', headers }: IncomingMessage, response: ServerResponse): unknown {
    const [, container, file] = content.exec(url)!;
    const found = containers.get(`${container}/${file}`);
    if (!headers.authorization?.startsWith('Bearer ')) return json(response, 401, errorBody('No key.'));
    if (headers.accept !== 'application/binary') return json(response, 406, errorBody('Ask for application/binary.'));
    const status = found?.statuses?.shift();
    if (status) return json(response, status, errorBody(`The file answers ${status}.`));
    if (!found) return json(response, 404, errorBody(`No such file: ${file}`));
    return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.bytes);
  }

  let embedded = 0;
  const server = await listen((incoming, response) => {
    if (incoming.method === 'GET' && content.test(incoming.url ?? '')) return giveFile(incoming, response);
    if (incoming.method === 'GET' && incoming.url === '/v1/models') return json(response, 200, models);
    const [path = ''] = (incoming.url ?? '').split('?');
    const api = incoming.method === 'POST' ? apis[path] : undefined;
    if (api) {
      complete(incoming, response, api).catch((cause: unknown) => {
        if (!response.headersSent)
          json(response, 400, errorBody(`The script failed: ${String(cause)}`, 'script_failed'));
        else response.destroy();
      });
      return;
    }
    if (incoming.method === 'POST' && incoming.url === '/v1/embeddings' && style.embeddings !== false) {
      embedded += 1;
      readJson(incoming).then((body) => json(response, 200, embeddings(body as EmbeddingCreateParams)));
      return;
    }
    json(response, 404, errorBody(`Invalid URL (${incoming.method} ${incoming.url})`));
  }, options.port);

  return {
    url: `${server.url}/v1`,
    requests,
    get calls() {
      return requests.length;
    },
    get embeddings() {
      return embedded;
    },
    containers,
    script: play,
    begin(story) {
      containers.clear();
      play(story.script ?? []);
      style = checkedStyle(story.style ?? {});
      requests.length = 0;
      embedded = 0;
    },
    append(...replies) {
      if (typeof script === 'function')
        throw new Error('append: the script is a function; give it the replies instead');
      script = [...script, ...replies.map(checked)];
    },
    held: hold.reached,
    release: hold.open,
    stop: server.stop,
  };
}

function fieldFault(request: ChatRequest, { strict }: Style) {
  const unknown = strict && Object.keys(request).find((field) => field.startsWith('prompt_cache_'));
  if (unknown) return errorBody(`Extra inputs are not permitted: ${unknown}`);
  const fault = faultOfCache(request as Parameters<typeof faultOfCache>[0]);
  return fault && errorBody(fault);
}

const mark = /,"prompt_cache_breakpoint":\{"mode":"explicit"\}/g;

/** OpenAI marks the end of the newest message as well, unless the request says otherwise. */
function usageBy(cache: PromptCache, request: ChatRequest): Usage {
  const {
    model,
    tools = [],
    instructions,
    input,
    messages,
    prompt_cache_key: key,
    prompt_cache_options: options,
  } = request;
  const parts = input ? [instructions, ...input] : messages;
  const blocks: CacheBlock[] = [...tools, ...parts].map((part) => {
    const text = JSON.stringify(part);
    const unmarked = text.replace(mark, '');
    return { text: unmarked, ...(unmarked !== text && { point: '30m' }) };
  });
  const isMarked = options?.mode !== 'explicit';
  const last = blocks.at(-1);
  if (last && isMarked) last.point = '30m';
  const finds = chargesWrites(model) ? 'marks' : 'common';
  const { total, read, written } = cache.use(blocks, { least: 1_024, finds }, key);
  const prompt_tokens_details = { cached_tokens: read, cache_write_tokens: written };
  const usage = { prompt_tokens: total, completion_tokens: 5, total_tokens: total + 5, prompt_tokens_details };
  return usage;
}

const apis: Record<string, ChatRequest['api']> = { '/v1/chat/completions': 'chat', '/v1/responses': 'responses' };
const models = { object: 'list', data: [{ id: 'scripted', object: 'model', created: 0, owned_by: 'vigil' }] };

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
