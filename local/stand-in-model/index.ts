import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import {
  type Answer,
  chunk,
  completion,
  deltasOf,
  finishReason,
  type Heading,
  sse,
  usageChunk,
  usageOf,
} from './chat-completions';
import { embeddings } from './embeddings';
import { errorBody, listen, readJson } from './listen';
import { answer } from './skills';
import { faultIn } from './transcript';
import { readTurn } from './turn';

/** What it calls itself wherever the protocol has a place for a name. */
export const standInName = 'stand-in';

export interface StandInModel {
  /** For OPENAI_BASE_URL. */
  url: string;
  stop(): Promise<void>;
}

/**
 * A model for those who have no key: an HTTP server of the chat completions API whose answers come from rules. It keeps
 * nothing between two requests; the transcript says it all. Every answer is labelled with its name.
 *
 * @param options.port default: a free one.
 * @param options.pauseMs between two sentences of a streamed answer, so that a page shows them come.
 */
export async function startStandInModel(options: { port?: number; pauseMs?: number } = {}): Promise<StandInModel> {
  const { port = 0, pauseMs = 40 } = options;
  const server = await listen((request, response) => {
    if (request.method === 'GET' && request.url === '/v1/models') return json(response, 200, models);
    const serve = request.method === 'POST' ? served[request.url ?? ''] : undefined;
    if (!serve) return json(response, 404, errorBody(`Invalid URL (${request.method} ${request.url})`));
    readJson(request)
      .then((body) => serve(response, body, pauseMs))
      .catch((cause: Error) => {
        if (response.headersSent) response.destroy();
        else json(response, cause instanceof SyntaxError ? 400 : 500, errorBody(cause.message));
      });
  }, port);
  return { url: `${server.url}/v1`, stop: server.stop };
}

const served: Record<string, (response: ServerResponse, body: unknown, pauseMs: number) => unknown> = {
  '/v1/chat/completions': (response, body, pauseMs) => complete(response, body as ChatCompletionCreateParams, pauseMs),
  '/v1/embeddings': (response, body) => json(response, 200, embeddings(body as EmbeddingCreateParams)),
};

async function complete(response: ServerResponse, request: ChatCompletionCreateParams, pauseMs: number): Promise<void> {
  const fault = faultIn(request);
  if (fault) return json(response, 400, errorBody(fault));
  const said = answerTo(request);
  const usage = usageOf(request, said);
  const heading: Heading = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model: standInName,
    system_fingerprint: standInName,
  };
  if (!request.stream) return json(response, 200, completion(heading, said, usage));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  response.write(sse(chunk(heading, { role: 'assistant', content: said.text ? '' : null })));
  for (const [index, delta] of deltasOf(said, 'whole').entries()) {
    if (index) await sleep(pauseMs);
    if (response.destroyed) return;
    response.write(sse(chunk(heading, delta)));
  }
  response.write(sse(chunk(heading, {}, finishReason(said))));
  if (request.stream_options?.include_usage) response.write(sse(usageChunk(heading, usage)));
  response.end(sse('[DONE]'));
}

function answerTo(request: ChatCompletionCreateParams): Answer {
  const turn = readTurn(request);
  const { text, calls = [] } = answer(turn);
  const toolCalls = calls.map((call, index) => ({
    id: `call_${turn.calls.length + index + 1}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  return { text, toolCalls };
}

const models = { object: 'list', data: [{ id: standInName, object: 'model', created: 0, owned_by: 'vigil' }] };

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
