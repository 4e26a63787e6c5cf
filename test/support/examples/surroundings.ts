import processes from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agUiEvents, aiSdkChunks, beginningAt, movesSince, positionText } from 'vigil-client/shared';
import { type Conversation, type Message, noUsage } from '../../../core/base/state/schemas';
import { chosenConversationId } from '../../../core/base/text/ids';
import { bodyOf } from '../../../core/people/streams/server-sent';
import { message, summary } from '../page/rows';

/**
 * What the examples reach: Secrets Manager, and the API of a deployment whose agent has one answer. It is scripted, because an example
 * shows how a function is used; that it works is told by the stories. The addresses are in the variables of a function and of a client.
 */
export async function startSurroundings(): Promise<void> {
  letJobsReadTypeScript();
  const conversations = new Map<string, Conversation>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { 'x-amz-target': target } = request.headers;
    const {
      status,
      type = 'application/json',
      text,
    } = target ? stored : answer(`${request.method} ${request.url}`.replace(/\?$/, ''), body);
    response.writeHead(status, { 'content-type': type }).end(text);
  });

  function answer(line: string, body: string): Answer {
    const said = body && (JSON.parse(body) as { id?: string; text?: string; clientMessageId?: string });
    const [, id = '', rest = ''] = /^\w+ \/conversations\/([^/?]+)(.*)$/.exec(line) ?? [];
    const known = conversations.get(id);
    if (line.startsWith('POST /webhooks/')) return json(202, { accepted: true });
    if (line === 'GET /conversations')
      return json(200, { conversations: [summary('c_2', { title: 'Tickets' })], cursor: 'older' });
    if (line === 'GET /conversations?cursor=older')
      return json(200, { conversations: [summary('c_1', { title: 'Opening hours' })] });
    if (line === 'POST /conversations' && said) {
      const chosen = chosenConversationId('ada', said.id ?? 'any');
      const question = message(1, {
        role: 'user',
        author: 'ada',
        text: said.text,
        clientMessageId: said.clientMessageId,
      });
      conversations.set(chosen, talk(chosen, question));
      return json(201, talk(chosen, question));
    }
    if (!known) return json(404, { type: 'about:blank', title: 'Not found', detail: 'There is no such conversation.' });
    if (rest.startsWith('/stream?')) return stream(known, new URLSearchParams(rest.slice('/stream?'.length)));
    return json(200, known);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    VIGIL_URL: url,
    VIGIL_TOKEN: token,
    API_URL: 'https://api.example.com',
    TABLE_NAME: 'Conversations',
    WEBHOOK_KEY_SECRET_ARN: 'webhooks',
  });
}

/** The file of a job is JavaScript in the package, and TypeScript here (`runtime/child-job.ts`). */
function letJobsReadTypeScript(): void {
  const words = `'require(${JSON.stringify(require.resolve('tsx/cjs'))}); require(' + JSON.stringify(file) + ')'`;
  const reading = `new Worker(${words}, { ...options, eval: true })`;
  const { spawn } = processes;
  // The arguments may be left out.
  const inTypeScript = (command: string, args: string[] | object, ...rest: object[]) => {
    const changed = Array.isArray(args) ? args.map((text) => text.replace('new Worker(file, options)', reading)) : args;
    return (spawn as (...all: unknown[]) => unknown)(command, changed, ...rest);
  };
  Object.assign(processes, { spawn: inTypeScript });
}

interface Answer {
  status: number;
  type?: string;
  text: string;
}

const json = (status: number, value: object): Answer => ({ status, text: JSON.stringify(value) });
const stored = json(200, { SecretString: 'key-of-webhooks' });
const token = ['{"alg":"none"}', '{"sub":"ada"}', ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

const talk = (id: string, question: Message): Conversation => ({
  ...summary(id, { agent: 'guide', title: 'Opening hours' }),
  usage: noUsage,
  calls: [],
  callbacks: [],
  timers: [],
  more: false,
  messages: [question, message(2, { author: 'guide', text: 'No, we are closed on Mondays.' })],
});

/** What follows the question, in the words of the library that asks. */
function stream(conversation: Conversation, query: URLSearchParams): Answer {
  const place = beginningAt(1);
  const messages = conversation.messages.slice(1);
  const told = movesSince(place, { ...conversation, messages, head: conversation }, new Date());
  const data: object[] = query.get('as') === 'ag-ui' ? agUiEvents(told.moves) : aiSdkChunks(place, told);
  const text = bodyOf(
    data.map((one) => ({ data: one })),
    positionText(told.place),
    0,
  );
  return { status: 200, type: 'text/event-stream', text };
}
