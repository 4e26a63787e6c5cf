import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type Anthropic from '@anthropic-ai/sdk';
import { listen, readJson } from '../../../local/model-server/listen';
import { anthropicFault, type Fault, issuedAs, issuedKey, type MessagesRequest, prefixOf } from './anthropic-request';
import type { PromptCache } from './prompt-cache';

/** A block of a reply. The server signs thoughts; they must be sent back unchanged, in their place. */
export type AnthropicBlock =
  | { thought: string }
  | { redacted: string }
  /** `citations` as the API tells them. */
  | { text: string; citations?: object[] }
  | { id: string; name: string; input: object }
  /** A block of a provider's own tool, as it is. */
  | { type: string; [field: string]: unknown };

export interface AnthropicReply {
  blocks?: AnthropicBlock[];
  stopReason?: string;
  /** Of a refusal. */
  category?: string;
  usage?: Record<string, unknown>;
  /** An error instead of the reply, or after its blocks if it has no status. */
  error?: { type: string; message: string; status?: number; headers?: Record<string, string> };
  /** Ends the stream without its final events. */
  breaksOff?: boolean;
  /** Says nothing more after its first delta, until the client hangs up. */
  hangs?: boolean;
  /** Sent unchanged instead of the stream. */
  malformed?: string;
}

export interface AnthropicRequest {
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: kept as received.
  body: any;
  /** Whether the client hung up before the end. */
  closed: boolean;
}

/**
 * Anthropic's Messages API in its own wire format: a scripted model, and the requests that it received. It rejects what Anthropic
 * rejects (`anthropic-request.ts`).
 *
 * @param cache counts the input of replies without a usage. Requests are for models that keep 1,024 tokens and more.
 */
export async function startAnthropic({ cache }: { cache?: PromptCache } = {}) {
  const requests: AnthropicRequest[] = [];
  const signed = new Map<string, string>();
  let script: AnthropicReply[] = [];
  let number = 0;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.method === 'GET' && incoming.url?.startsWith('/v1/models')) {
      const ids = incoming.headers['anthropic-version'] ? ['claude-sonnet-5-5', 'claude-haiku-4-5-20251001'] : [];
      return json(response, 200, { data: ids.map((id) => ({ type: 'model', id })), has_more: false });
    }
    if (incoming.method !== 'POST' || incoming.url !== '/v1/messages')
      return json(response, 404, errorBody({ type: 'not_found_error', message: 'Not found' }));
    const body = (await readJson(incoming)) as MessagesRequest;
    const request: AnthropicRequest = { headers: incoming.headers, body, closed: false };
    requests.push(request);
    response.once('close', () => {
      request.closed = !response.writableFinished;
    });
    const fault = anthropicFault(incoming.headers, body, signed);
    const exhausted: Fault = { status: 500, type: 'api_error', message: 'The script has no further reply.' };
    const reply: AnthropicReply = fault ? { error: fault } : (script.shift() ?? { error: exhausted });
    const { error } = reply;
    if (error?.status) return json(response, error.status, errorBody(error), error.headers);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    if (reply.malformed !== undefined) {
      response.end(reply.malformed);
      return;
    }
    await stream(response, body, reply);
  }

  async function stream(response: ServerResponse, body: MessagesRequest, reply: AnthropicReply): Promise<void> {
    const counted = cache ? usageBy(cache, body) : { input_tokens: 7, output_tokens: 5 };
    const { blocks = [], error, usage = counted } = reply;
    const { output_tokens, output_tokens_details, ...ofInput } = usage as Record<string, unknown>;
    const event = (type: string, fields: object = {}) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
    const message = { id: `msg_${++number}`, type: 'message', role: 'assistant', model: body.model, content: [] };
    event('message_start', { message: { ...message, stop_reason: null, usage: { ...ofInput, output_tokens: 1 } } });
    event('ping');
    const before: Anthropic.ContentBlockParam[] = [];
    for (const [index, block] of blocks.entries()) {
      const { whole, begun, deltas } = wired(block, () => sign(body, before));
      event('content_block_start', { index, content_block: begun });
      for (const delta of deltas) {
        event('content_block_delta', { index, delta });
        if (reply.hangs) return;
      }
      event('content_block_stop', { index });
      before.push(whole);
      if ('type' in block) signed.set(issuedKey(whole), issuedAs(whole));
    }
    if (error) event('error', { error: { type: error.type, message: error.message } });
    if (!error && !reply.breaksOff) {
      const isCall = blocks.some((block) => 'name' in block && !('type' in block));
      const stop_reason = reply.stopReason ?? (isCall ? 'tool_use' : 'end_turn');
      const stop_details = stop_reason === 'refusal' ? { type: 'refusal', category: reply.category ?? null } : null;
      event('message_delta', {
        delta: { stop_reason, stop_details, stop_sequence: null },
        usage: { output_tokens, ...(output_tokens_details !== undefined && { output_tokens_details }) },
      });
      event('message_stop');
    }
    // What is written so far must reach the client before the connection breaks.
    if (reply.breaksOff) await sleep(20);
    if (reply.breaksOff) response.destroy();
    else response.end();
  }

  /** Returns a signature that is valid with what precedes the thought, as `anthropicFault` checks. */
  function sign(body: MessagesRequest, before: readonly Anthropic.ContentBlockParam[]): string {
    const signature = `sig_${++number}`;
    // A reply that was paused goes on in the same turn.
    const last = body.messages.at(-1)!;
    const begun = last.role === 'assistant' ? (last.content as Anthropic.ContentBlockParam[]) : [];
    const turn = [...begun, ...before];
    const earlier = begun.length > 0 ? body.messages.slice(0, -1) : body.messages;
    const messages = turn.length > 0 ? [...earlier, { role: 'assistant' as const, content: turn }] : earlier;
    signed.set(signature, prefixOf({ ...body, messages }));
    return signature;
  }

  const server = await listen((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  return {
    url: server.url,
    requests,
    stop: server.stop,
    script(replies: AnthropicReply[]) {
      script = [...replies];
      requests.length = 0;
    },
  };
}

const leastKept = 1_024;

/** The cache reads tools, instructions and messages, in this order, with the marks on their blocks. */
function usageBy(cache: PromptCache, { tools = [], system = [], messages }: MessagesRequest): Record<string, unknown> {
  const content = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ text: content }] : content).map((block) => ({ role, ...block })),
  );
  const parts = [...tools, ...(typeof system === 'string' ? [{ text: system }] : system), ...content] as Marked[];
  const blocks = parts.map(({ cache_control: mark, ...part }) => ({
    text: JSON.stringify(part),
    ...(mark && { point: mark.ttl ?? ('5m' as const) }),
  }));
  const { total, read, written, writtenForHour } = cache.use(blocks, { least: leastKept, finds: 'points' });
  return {
    input_tokens: total - read - written,
    output_tokens: 5,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    cache_creation: {
      ephemeral_5m_input_tokens: written - writtenForHour,
      ephemeral_1h_input_tokens: writtenForHour,
    },
  };
}
interface Marked {
  cache_control?: { ttl?: '5m' | '1h' } | null;
}

/** Returns a block as a request has it, and as the stream tells it. */
function wired(block: AnthropicBlock, sign: () => string): { whole: Block; begun: object; deltas: object[] } {
  if ('type' in block) {
    if (!('input' in block)) return { whole: block as never, begun: block, deltas: [] };
    const deltas = pieces(JSON.stringify(block.input)).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }));
    return { whole: block as never, begun: { ...block, input: {} }, deltas };
  }
  if ('text' in block)
    return {
      whole: { type: 'text', text: block.text, ...(block.citations && { citations: block.citations as never }) },
      begun: { type: 'text', text: '' },
      deltas: [
        ...pieces(block.text).map((text) => ({ type: 'text_delta', text })),
        ...(block.citations ?? []).map((citation) => ({ type: 'citations_delta', citation })),
      ],
    };
  if ('name' in block) {
    const { id, name, input } = block;
    const json = Object.keys(input).length > 0 ? pieces(JSON.stringify(input)) : [''];
    return {
      whole: { type: 'tool_use', id, name, input },
      begun: { type: 'tool_use', id, name, input: {} },
      deltas: json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    };
  }
  const signature = sign();
  if ('redacted' in block) {
    const whole = { type: 'redacted_thinking' as const, data: signature };
    return { whole, begun: whole, deltas: [] };
  }
  return {
    whole: { type: 'thinking', thinking: block.thought, signature },
    begun: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(block.thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ],
  };
}

type Block = Anthropic.ContentBlockParam;
const pieces = (text: string): string[] => text.match(/.{1,6}/gs) ?? [];

const errorBody = ({ type, message }: { type: string; message: string }) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
});

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
