import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { errorBody, listen, readJson } from '../../../local/model-server/listen';
import type { ChatRequest, Reply } from './model-server';
import { asChat, faultOf } from './responses-request';
import { responsesWire } from './responses-wire';

/** A reply that the server makes in the background. */
export interface BackgroundReply {
  id: string;
  status: 'in_progress' | 'completed' | 'failed' | 'cancelled';
  request: ResponseCreateParams;
  /** How often it was asked for. */
  fetched: number;
}

interface Making extends BackgroundReply {
  events: object[];
  streams: Set<ServerResponse>;
  wire: ReturnType<typeof responsesWire>;
  scripted?: Scripted;
}

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

type Scripted = Pick<Reply, 'text' | 'toolCalls'>;

/**
 * Starts a server of the Responses API that makes every reply in the background, and completes it when the test says so.
 *
 * @param script completes each reply by itself, when it is asked for the second time. It is asked when the reply begins.
 */
export async function startBackgroundServer(script?: (request: ChatRequest) => Scripted | Promise<Scripted>) {
  const replies: Making[] = [];
  let pace: { beforeMs: number; betweenMs: number } | undefined;
  /** The status with which requests for replies are refused. */
  let refusal: number | undefined;
  const find = (id: string) => replies.find((one) => one.id === id);
  const last = () => replies.at(-1)!;

  function tell(reply: Making, events: object[]): void {
    reply.events.push(...events);
    for (const stream of reply.streams) for (const event of events) write(stream, event);
  }
  function end(reply: Making, status: BackgroundReply['status']): void {
    reply.status = status;
    for (const stream of reply.streams) stream.end();
    reply.streams.clear();
  }
  /** Streams a reply from its beginning, and goes on until it is over. */
  async function stream(reply: Making, response: ServerResponse): Promise<void> {
    if (pace) await sleep(pace.beforeMs);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [...reply.events]) {
      write(response, event);
      if (pace) await sleep(pace.betweenMs);
    }
    if (reply.status !== 'in_progress') return void response.end();
    reply.streams.add(response);
    response.once('close', () => reply.streams.delete(response));
  }
  function completeWith(reply: Making, { text, toolCalls = [] }: Scripted): void {
    if (text) tell(reply, reply.wire.delta({ content: text }));
    for (const { id = 'call', name, arguments: args } of toolCalls)
      tell(
        reply,
        reply.wire.delta({ tool_calls: [{ index: 0, id, function: { name, arguments: JSON.stringify(args) } }] }),
      );
    tell(reply, reply.wire.end({ finishReason: 'stop' } as never, usage));
    end(reply, 'completed');
  }
  const whole = (reply: Making) => {
    const told = reply.events.findLast((event) => 'response' in event) as { response: object } | undefined;
    return { ...told?.response, id: reply.id, object: 'response', status: reply.status };
  };

  const server = await listen(async (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://local');
    const [, id, action] = /^\/v1\/responses(?:\/([^/]+))?(?:\/(cancel))?$/.exec(pathname) ?? [];
    const json = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (!id) {
      const request = (await readJson(incoming)) as ResponseCreateParams;
      if (!request.background || request.store !== true || request.stream !== true)
        return json(400, errorBody('This server makes replies in the background only.'));
      const { background: _, ...plain } = request;
      const fault = faultOf({ ...plain, store: false });
      if (fault) return json(400, fault);
      const number = replies.length + 1;
      const wire = responsesWire({ model: String(request.model), number });
      const made = {
        id: `resp_${number}`,
        request,
        fetched: 0,
        events: wire.head(),
        streams: new Set<ServerResponse>(),
      };
      const scripted = await script?.({ ...request, ...asChat(request), api: 'responses' } as ChatRequest);
      const reply: Making = { ...made, status: 'in_progress', wire, scripted };
      replies.push(reply);
      return stream(reply, response);
    }
    const reply = find(id);
    if (!reply) return json(404, errorBody(`Response with id '${id}' not found.`));
    if (action) {
      if (reply.status === 'in_progress') end(reply, 'cancelled');
      return json(200, { ...whole(reply), usage: { input_tokens: 90, output_tokens: 7, total_tokens: 97 } });
    }
    reply.fetched += 1;
    if (reply.scripted && reply.fetched > 1 && reply.status === 'in_progress') completeWith(reply, reply.scripted);
    if (refusal) return json(refusal, errorBody('Not now.'));
    return searchParams.get('stream') === 'true' ? stream(reply, response) : json(200, whole(reply));
  });

  return {
    url: `${server.url}/v1`,
    replies: replies as readonly BackgroundReply[],
    /** Sends what there is of a reply slowly. */
    slow(given: { beforeMs: number; betweenMs: number }) {
      pace = given;
    },
    refuse(status: number | undefined) {
      refusal = status;
    },
    /** Says a part of the latest reply. */
    say(content: string) {
      tell(last(), last().wire.delta({ content }));
    },
    /** Completes the latest reply. */
    complete(text = '', toolCalls: NonNullable<Scripted['toolCalls']> = []) {
      completeWith(last(), { text, toolCalls });
    },
    fail() {
      const reply = last();
      const error = { code: 'server_error', message: 'It failed.' };
      tell(reply, [
        { type: 'response.failed', response: { id: reply.id, object: 'response', status: 'failed', error } },
      ]);
      end(reply, 'failed');
    },
    /** Forgets the replies, as a provider does after some minutes. */
    forget() {
      for (const reply of replies) for (const one of reply.streams) one.end();
      replies.length = 0;
    },
    stop: () => server.stop(),
  };
}

function write(response: ServerResponse, event: object): void {
  const { type } = event as { type: string };
  response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
}
