import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
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
} from '../../../local/model-server/chat-completions';
import { errorBody } from '../../../local/model-server/listen';
import type { ChatRequest, Reply, Style } from './model-server';
import { responsesWire } from './responses-wire';

interface Sending {
  /** The number of the request, from 1. It is part of the ids. */
  number: number;
  style: Style;
  hold: Gate;
}

/** Sends one reply, with its pauses and faults. Resolves when the response is complete or the client has gone. */
export async function send(
  response: ServerResponse,
  request: ChatRequest,
  reply: Reply,
  sending: Sending,
): Promise<void> {
  if (reply.delayMs) await sleep(reply.delayMs);
  if (reply.status && reply.status !== 200) {
    const body = reply.error ?? errorBody(`The scripted model answers ${reply.status}.`, 'scripted');
    response
      .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      .end(JSON.stringify(body));
    return;
  }
  const answer = answerOf(reply, sending.number);
  const usage = sending.style.usage === false ? undefined : usageOf(request, answer);
  if (request.api === 'responses') return sendResponse(response, request, reply, sending, { answer, usage });
  const heading: Heading = {
    id: `chatcmpl-${sending.number}`,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    system_fingerprint: 'scripted',
  };
  if (!request.stream) {
    response.writeHead(200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.malformed ?? JSON.stringify(completion(heading, answer, usage)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers });
  if (reply.malformed !== undefined) {
    response.end(reply.malformed);
    return;
  }
  response.write(sse(chunk(heading, { role: 'assistant', content: answer.toolCalls?.length ? null : '' })));
  if (reply.thought !== undefined) response.write(sse(chunk(heading, { reasoning_content: reply.thought } as Delta)));
  const write = (delta: Delta) => response.write(sse(chunk(heading, delta)));
  if (!(await sendDeltas(response, write, answer, reply, sending))) return;
  response.write(sse(chunk(heading, {}, finishReason(answer))));
  if (usage && request.stream_options?.include_usage) response.write(sse(usageChunk(heading, usage)));
  response.end(sse('[DONE]'));
}

/**
 * @returns false if the connection is gone: cut by the script, or closed by the client.
 */
async function sendDeltas(
  response: ServerResponse,
  write: (delta: Delta) => void,
  answer: Answer,
  reply: Reply,
  sending: Sending,
) {
  const cuts = [reply.holdAfter, reply.closeAfter].filter((cut) => cut !== undefined);
  const deltas = cutAt(withExtras(deltasOf(answer, sending.style.deltas ?? 'whole'), reply), cuts);
  let sent = 0;
  let held = false;
  for (let next = 0; ; next++) {
    if (reply.closeAfter !== undefined && sent >= reply.closeAfter) {
      // What is written so far must reach the client before the connection breaks.
      await sleep(20);
      response.destroy();
      return false;
    }
    if (!held && reply.holdAfter !== undefined && sent >= reply.holdAfter) {
      held = true;
      await sending.hold.wait(response);
    }
    if (response.destroyed) return false;
    const delta = deltas[next];
    if (!delta) return true;
    if (next && reply.sentenceDelayMs) await sleep(reply.sentenceDelayMs);
    write(delta);
    sent += lengthOf(delta);
  }
}

/** Sends the same reply over the Responses API. */
async function sendResponse(
  response: ServerResponse,
  request: ChatRequest,
  reply: Reply,
  sending: Sending,
  { answer, usage }: { answer: Answer; usage?: ReturnType<typeof usageOf> },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers });
  if (reply.malformed !== undefined) {
    response.end(reply.malformed);
    return;
  }
  const wire = responsesWire({
    model: String(request.model),
    number: sending.number,
    annotations: reply.annotations,
  });
  const write = (events: object[]) => {
    for (const event of events)
      response.write(`event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  write(wire.head(reply.thought));
  write(wire.hosted(reply.hosted ?? [], reply.thought !== undefined));
  if (!(await sendDeltas(response, (delta) => write(wire.delta(delta)), answer, reply, sending))) return;
  if (reply.failure) write([{ type: 'response.failed', response: { status: 'failed', error: reply.failure } }]);
  else write(wire.end(answer, usage));
  response.end();
}

/** Adds the non-standard fields of some servers to the calls. */
const withExtras = (deltas: Delta[], { toolCalls = [] }: Reply): Delta[] =>
  deltas.map((delta) => {
    const call = delta.tool_calls?.[0];
    const extra = call?.id ? toolCalls[call.index]?.extra : undefined;
    return call && extra ? { ...delta, tool_calls: [{ ...call, ...extra }] } : delta;
  });

function answerOf(reply: Reply, number: number): Answer {
  if (reply.empty) return { text: '', usage: reply.usage };
  const toolCalls = reply.toolCalls?.map((call, index) => ({
    id: call.id ?? `call_${number}_${index + 1}`,
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }));
  const { text, images, usage, finishReason } = reply;
  return { text, toolCalls, images, usage, finishReason };
}

type Delta = ChatCompletionChunk.Choice.Delta;

const argumentsOf = (delta: Delta): string => delta.tool_calls?.[0]?.function?.arguments ?? '';
const lengthOf = (delta: Delta): number => (delta.content ?? '').length + argumentsOf(delta).length;

/** Splits the deltas so that one ends at each of the positions (in characters from the start). */
function cutAt(deltas: Delta[], positions: number[]): Delta[] {
  let start = 0;
  return deltas.flatMap((delta) => {
    const end = start + lengthOf(delta);
    const inside = positions
      .filter((position) => position > start && position < end)
      .map((position) => position - start);
    start = end;
    return inside.sort((a, b) => b - a).reduce((parts, at) => [...split(parts[0]!, at), ...parts.slice(1)], [delta]);
  });
}

function split(delta: Delta, at: number): [Delta, Delta] {
  if (delta.content) return [{ content: delta.content.slice(0, at) }, { content: delta.content.slice(at) }];
  const call = delta.tool_calls![0]!;
  const whole = argumentsOf(delta);
  return [
    { tool_calls: [{ ...call, function: { ...call.function, arguments: whole.slice(0, at) } }] },
    { tool_calls: [{ index: call.index, function: { arguments: whole.slice(at) } }] },
  ];
}

/** Where streams pause until the test releases them, or until their client hangs up. */
interface Gate {
  wait(response: ServerResponse): Promise<void>;
  reached(): Promise<void>;
  open(): void;
}

export function gate(): Gate {
  const waiting = new Set<() => void>();
  let announce: (() => void)[] = [];
  return {
    async wait(response) {
      await new Promise<void>((resolve) => {
        const go = () => {
          waiting.delete(go);
          resolve();
        };
        waiting.add(go);
        response.once('close', go);
        for (const tell of announce) tell();
        announce = [];
      });
    },
    reached: () => new Promise((resolve) => (waiting.size ? resolve() : announce.push(resolve))),
    open() {
      for (const go of [...waiting]) go();
    },
  };
}
