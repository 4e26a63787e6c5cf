import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { sendJson } from '../app/http-server';
import * as protocol from '../model-server/chat-completions';
import { embeddings } from '../model-server/embeddings';
import { errorBody, listen, readJson } from '../model-server/listen';
import { faultIn } from '../model-server/request-fault';
import { answer } from './answer';
import { errand } from './errands';
import { type Json, readTurn, type Saying } from './turn';

export type StandInModel = Awaited<ReturnType<typeof listen>>;
const name = 'stand-in';
const models = { object: 'list', data: [{ id: name, object: 'model', created: 0, owned_by: 'vigil' }] };

/**
 * A model for use without a key: a server of the chat completions API whose replies come from commands, transcripts and
 * rules, labelled with its name. Its url is for OPENAI_BASE_URL. `pauseMs` is the pause between sentences, so that a
 * page shows them one by one. `reply` plays a turn in another way.
 */
export async function startStandInModel({
  pauseMs = 40,
  reply = (request: ChatCompletionCreateParams): Saying => answer(readTurn(request)),
} = {}): Promise<StandInModel> {
  const routes: Record<string, (response: ServerResponse, body: Json) => unknown> = {
    'GET /v1/models': (response) => sendJson(response, 200, models),
    'POST /v1/embeddings': (response, body) => sendJson(response, 200, embeddings(body)),
    'POST /v1/chat/completions': (response, body) => complete(response, body, pauseMs, reply),
  };
  const { url, stop } = await listen(async (request, response) => {
    const route = `${request.method} ${request.url}`;
    try {
      if (!routes[route]) return sendJson(response, 404, errorBody(`Invalid URL (${route})`));
      await routes[route](response, request.method === 'POST' && (await readJson(request)));
    } catch (cause) {
      if (response.headersSent) response.destroy();
      else sendJson(response, cause instanceof SyntaxError ? 400 : 500, errorBody((cause as Error).message));
    }
  });
  return { url: `${url}/v1`, stop };
}

async function complete(
  response: ServerResponse,
  request: ChatCompletionCreateParams,
  pauseMs: number,
  reply: (request: ChatCompletionCreateParams) => Saying,
): Promise<void> {
  const fault = faultIn(request);
  if (fault) return sendJson(response, 400, fault);
  const done = errand(request);
  const { text, calls = [], images }: Saying = done === undefined ? reply(request) : { text: done };
  const toolCalls = calls.map((one) => ({ ...one, id: randomUUID(), arguments: JSON.stringify(one.arguments) }));
  const said = { text, toolCalls, images };
  const usage = protocol.usageOf(request, said);
  const created = Math.floor(Date.now() / 1000);
  const heading = { id: `chatcmpl-${randomUUID()}`, created, model: name, system_fingerprint: name };
  if (!request.stream) return sendJson(response, 200, protocol.completion(heading, said, usage));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  const write = (data: object) => response.write(protocol.sse(data));
  write(protocol.chunk(heading, { role: 'assistant', content: text ? '' : null }));
  for (const [index, delta] of protocol.deltasOf(said, 'whole').entries()) {
    if (index) await sleep(pauseMs);
    if (response.destroyed) return;
    write(protocol.chunk(heading, delta));
  }
  write(protocol.chunk(heading, {}, protocol.finishReason(said)));
  if (request.stream_options?.include_usage) write(protocol.usageChunk(heading, usage));
  response.end(protocol.sse('[DONE]'));
}
