import type { IncomingMessage } from 'node:http';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';
import { listen, readJson } from '../../../local/model-server/listen';
import { bedrockToolFault } from '../../../local/model-server/tool-schemas';

/** A block of a reply. A thought is signed, and must be sent back unchanged. */
export type Block =
  | { thought: string; signature?: string }
  | { redacted: string }
  | { text: string }
  | { id: string; name: string; input: object };

export interface BedrockReply {
  blocks?: Block[];
  stopReason?: string;
  usage?: Record<string, number>;
  /** An exception instead of the reply, or after its blocks. */
  exception?: { name: string; message: string; status?: number; retryAfter?: string; inStream?: boolean };
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
      ...{ ':message-type': text(kind), ':content-type': text('application/json') },
      [`:${kind}-type`]: text(type),
    },
    body: fromUtf8(JSON.stringify(body)),
  });

/**
 * Bedrock's ConverseStream in its own wire format: a scripted model, and the requests that it received. It rejects what
 * Claude rejects.
 */
export async function startBedrock() {
  const requests: BedrockRequest[] = [];
  let script: BedrockReply[] = [];

  const server = await listen(async (incoming: IncomingMessage, response) => {
    const body = await readJson(incoming);
    const request = { path: incoming.url ?? '', authorization: incoming.headers.authorization, body, closed: false };
    requests.push(request);
    response.once('close', () => {
      request.closed = !response.writableFinished;
    });
    const reply = faultIn(body, decodeURIComponent(incoming.url ?? '')) ??
      script.shift() ?? { exception: { name: 'ScriptExhausted', message: 'x', status: 500 } };
    const { blocks = [], exception, usage = { inputTokens: 7, outputTokens: 5, totalTokens: 12 } } = reply;
    if (exception && !exception.inStream) {
      const headers = {
        ...{ 'content-type': 'application/json', 'x-amzn-errortype': exception.name },
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
      event('metadata', { usage, metrics: { latencyMs: 1 } });
    }
    response.end();
  });

  return {
    ...{ url: server.url, requests, stop: server.stop },
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
  if ('redacted' in block)
    return [{ reasoningContent: { redactedContent: Buffer.from(block.redacted).toString('base64') } }];
  const { thought, signature } = block;
  return [{ reasoningContent: { text: thought } }, ...(signature ? [{ reasoningContent: { signature } }] : [])];
}

const refuse = (message: string): BedrockReply => ({ exception: { name: 'ValidationException', message } });

/**
 * Checks that roles alternate and begin with the user, that each call has its result in the next message, and that no
 * text is blank; and that the schemas of tools are accepted.
 */
// biome-ignore lint/suspicious/noExplicitAny: kept as received.
function faultIn({ messages = [], toolConfig }: any, path: string): BedrockReply | undefined {
  for (const [index, { toolSpec }] of (toolConfig?.tools ?? []).entries()) {
    const { name, description, inputSchema } = toolSpec;
    const fault = bedrockToolFault({ name, description, schema: inputSchema?.json, at: String(index) }, path);
    if (fault) return refuse(fault);
  }
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
