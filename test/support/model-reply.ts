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
} from '../../local/stand-in-model/chat-completions';
import { errorBody } from '../../local/stand-in-model/listen';
import type { ChatRequest, Reply, Style } from './model-server';

interface Sending {
  /** Of the request, from 1: it goes into the ids. */
  number: number;
  style: Style;
  hold: Gate;
}

/** Puts one reply on the wire, with its pauses and its faults. Returns when the answer is out or the client has gone. */
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
  if (!(await sendDeltas(response, heading, answer, reply, sending))) return;
  response.write(sse(chunk(heading, {}, finishReason(answer))));
  if (usage && request.stream_options?.include_usage) response.write(sse(usageChunk(heading, usage)));
  response.end(sse('[DONE]'));
}

/** @returns false when the connection is gone: cut as the script says, or closed by the client. */
async function sendDeltas(response: ServerResponse, heading: Heading, answer: Answer, reply: Reply, sending: Sending) {
  const cuts = [reply.holdAfter, reply.closeAfter].filter((cut) => cut !== undefined);
  const deltas = cutAt(deltasOf(answer, sending.style.deltas ?? 'whole'), cuts);
  let sent = 0;
  let held = false;
  for (let next = 0; ; next++) {
    if (reply.closeAfter !== undefined && sent >= reply.closeAfter) {
      // What is written so far reaches the client before the connection breaks.
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
    response.write(sse(chunk(heading, delta)));
    sent += lengthOf(delta);
  }
}

function answerOf(reply: Reply, number: number): Answer {
  if (reply.empty) return { text: '', usage: reply.usage };
  const toolCalls = reply.toolCalls?.map((call, index) => ({
    id: call.id ?? `call_${number}_${index + 1}`,
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }));
  return { text: reply.text, toolCalls, usage: reply.usage, finishReason: reply.finishReason };
}

type Delta = ChatCompletionChunk.Choice.Delta;

const argumentsOf = (delta: Delta): string => delta.tool_calls?.[0]?.function?.arguments ?? '';
const lengthOf = (delta: Delta): number => (delta.content ?? '').length + argumentsOf(delta).length;

/** The same deltas, with one ending at each of the positions (counted in characters from the start). */
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

/** Where streams stand still until the test lets them go on, or until their client hangs up. */
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
