import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf } from '../../../../core/people/streams/server-sent';
import { bundled } from '../../../../test/support/clouds/bundled';
import { positionText } from '../dialects/position';
import { RequestFailed } from '../problem';
import { VigilAgent } from './ag-ui';
import { type Connection, conversationIdOf, follow, type Part } from './api';
import { say } from './conversation';

// The clients' requests, to a server that fails as networks and gateways do.

test('an option that there is not, or none that must be, is refused by its name (R193)', () => {
  const opened = (options: object) => () => new VigilAgent({ url: '', token: 't', ...options } as never);
  expect(opened({})).toThrow('VigilAgent: agent: is missing: it must be a text');
  expect(opened({ agent: 'a', waitSeconds: '9' })).toThrow('VigilAgent: waitSeconds: must be a number');
});

describe('a client of a stream', () => {
  let server: Server;
  let asked: { method: string; url: string; id?: string; token?: string; body: string }[];
  let answers: ((response: ServerResponse) => void)[];
  let connection: Connection;
  beforeAll(async () => {
    server = createServer(async (request: IncomingMessage, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method = '', url = '', headers } = request;
      asked.push({
        method,
        url,
        id: headers['last-event-id'] as string | undefined,
        token: headers.authorization,
        body,
      });
      // A stream that a test does not read asks once more.
      (answers.shift() ?? status(204))(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked = [];
    let tokens = 0;
    const { port } = server.address() as AddressInfo;
    connection = { url: `http://127.0.0.1:${port}`, token: () => `t${++tokens}` };
  });

  const events =
    (position: string, ...data: object[]) =>
    (response: ServerResponse) =>
      response.end(
        bodyOf(
          data.map((one) => ({ data: one })),
          position,
          0,
        ),
      );
  const status = (code: number, body?: object) => (response: ServerResponse) =>
    response.writeHead(code).end(body && JSON.stringify(body));
  const lost = (response: ServerResponse) => response.destroy();
  /** Headers and half of the answer arrive. */
  const broken = (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('data: {"type":"a"}\n\n');
    setImmediate(() => response.destroy());
  };

  test('goes on at the same place after a lost, a broken and a failed answer, each time with a new token (R178)', async () => {
    answers = [
      events('p1', { type: 'a' }),
      lost,
      broken,
      status(503),
      events('p2', { type: 'b' }, { type: 'c' }),
      status(204),
    ];
    const parts: Part[] = [];
    for await (const part of follow(connection, 'c', { as: 'ai-sdk', after: 3 })) parts.push(part);
    expect(parts).toEqual([
      { events: [{ type: 'a' }], position: 'p1' },
      { events: [{ type: 'b' }, { type: 'c' }], position: 'p2' },
    ]);
    expect(asked.map(({ id }) => id)).toEqual([undefined, 'p1', 'p1', 'p1', 'p1', 'p2']);
    expect(asked.map(({ url }) => url)).toEqual([
      '/conversations/c/stream?as=ai-sdk&after=3',
      ...Array(5).fill('/conversations/c/stream?as=ai-sdk'),
    ]);
    expect(asked.map(({ token }) => token)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `Bearer t${number}`));
  });

  test('what the API refuses is told in its words, and not asked again (R178)', async () => {
    answers = [status(429, { type: 'about:blank', detail: 'You have 50 active runs.', limit: {} })];
    const said = { chosen: 'c', id: 'c', agent: 'a', content: { text: 'Hi' }, clientMessageId: 'm' };
    await expect(say(connection, said)).rejects.toThrow(new RequestFailed(429, 'You have 50 active runs.'));
    expect(asked).toHaveLength(1);
  });

  test('a first message whose answer was lost is sent again under its id, and begins one conversation (R178, R25)', async () => {
    const conversation = { messages: [{ seq: 1, clientMessageId: 'm' }] };
    answers = [status(404, {}), lost, status(200, conversation)];
    const said = { chosen: 'c', id: 'u_c', agent: 'a', content: { text: 'Hi' }, clientMessageId: 'm' };
    expect(await say(connection, said)).toBe(1);
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /conversations/u_c/messages',
      'POST /conversations',
      'POST /conversations',
    ]);
    expect(asked[2]!.body).toBe(asked[1]!.body);
    expect(JSON.parse(asked[2]!.body)).toMatchObject({ id: 'c', agent: 'a', text: 'Hi', clientMessageId: 'm' });
  });

  test('an AG-UI agent that is told to stop reads no further, and its messages stay (R178)', async () => {
    const token = `x.${Buffer.from('{"sub":"ada"}').toString('base64url')}.x`;
    const agent = new VigilAgent({ ...connection, token, agent: 'a', threadId: 't' });
    const text = { type: 'TEXT_MESSAGE_START', messageId: 'm2', role: 'assistant' };
    answers = [
      status(202, { seq: 1 }),
      events('p1', text, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'One.' }),
      () => agent.abortRun(),
    ];
    agent.addMessage({ id: 'm-1', role: 'user', content: 'Hi' });
    await agent.runAgent();
    expect(agent.messages.map(({ content }) => content)).toEqual(['Hi', 'One.']);
    expect([asked.length, agent.isRunning]).toEqual([3, false]);
  });

  const adaToken = `x.${Buffer.from('{"sub":"ada"}').toString('base64url')}.x`;
  const message = (seq: number, clientMessageId: string) => ({
    seq,
    version: 1,
    role: 'user',
    author: 'ada',
    text: 'Hi',
    status: 'complete',
    clientMessageId,
    createdAt: '2026-03-01T09:00:00.000Z',
  });
  const conversationOf = (...messages: object[]) => ({
    id: 'u_t',
    version: 1,
    status: 'running',
    agent: 'a',
    messages,
    calls: [],
    callbacks: [],
    timers: [],
    more: false,
  });

  test('an AG-UI agent sends a message that was written beside a decision, once (R265)', async () => {
    const agent = new VigilAgent({ ...connection, token: adaToken, agent: 'a', threadId: 't' });
    const finished = events('p', { type: 'RUN_FINISHED', threadId: 't', runId: 'r' });
    const resume = [{ interruptId: 'k', status: 'resolved' as const, payload: { approved: true } }];
    agent.addMessage({ id: 'm-1', role: 'user', content: 'And be quick' });
    answers = [
      status(200, conversationOf()),
      status(200, {}),
      status(202, { seq: 3 }),
      status(200, conversationOf(message(3, 'm-1'))),
      finished,
      status(200, {}),
      finished,
    ];
    await agent.runAgent({ resume });
    expect(
      asked.map(({ method, url }) => `${method} ${url.replace(/\?.*/, '')}`.replace(/u[0-9a-f]{16}_/, '')),
    ).toEqual([
      'GET /conversations/t',
      'POST /conversations/t/callbacks/k',
      'POST /conversations/t/messages',
      'GET /conversations/t',
      'GET /conversations/t/stream',
    ]);
    expect(JSON.parse(asked[2]!.body)).toMatchObject({ text: 'And be quick', clientMessageId: 'm-1' });
    // Another decision, without a new message.
    await agent.runAgent({ resume });
    expect(asked.slice(5).map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  describe('a chat of the AI SDK', () => {
    type Clients = typeof import('../../../../test/support/stories/stream-clients');
    let clients: ReturnType<typeof bundled<Clients>>;
    beforeAll(() => {
      clients = bundled<Clients>('test/support/stories/stream-clients.ts');
    });
    afterAll(() => clients.remove());
    const transport = () => clients.exports.vigilTransport({ ...connection, token: adaToken, agent: 'a' });
    const card = (turn: number, id: string) => ({
      id: `turn-${turn}`,
      role: 'assistant' as const,
      metadata: { position: positionText({ from: turn, seq: turn + 1, calls: { [id]: 'asked' } }) },
      parts: [
        {
          type: 'dynamic-tool',
          toolName: 'pay',
          toolCallId: id,
          input: {},
          state: 'approval-responded',
          approval: { id, approved: true },
        },
      ],
    });
    const words = (id: string) => ({ id, role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] });
    /** The stream is read to its end, so that no request outlives its test. */
    const send = async (messages: object[], messageId?: string) => {
      const stream = await transport().sendMessages({
        trigger: 'submit-message',
        chatId: 't',
        messageId,
        messages: messages as never,
        abortSignal: undefined,
      });
      const reader = stream.getReader();
      while (!(await reader.read()).done);
    };

    test('sends the decision about an older turn, once, whatever is the last message (R265)', async () => {
      const messages = [words('a'), card(1, 'k1'), words('b')];
      expect(clients.exports.sendsDecisions({ messages: messages as never })).toBe(true);
      answers = [status(200, {})];
      await send(messages, 'turn-1');
      expect(asked.map(({ url, body }) => [url.split('/').at(-1), JSON.parse(body)])).toEqual([
        ['k1', { approved: true }],
      ]);
      expect(clients.exports.sendsDecisions({ messages: messages as never })).toBe(false);
    });

    test('sends a decision before the message that is written beside it (R265)', async () => {
      answers = [status(200, {}), status(202, { seq: 5 }), status(204)];
      await send([words('a'), card(1, 'k2'), words('c')]);
      expect(asked.slice(0, 2).map(({ url }) => url.replace(/^.*(callbacks|messages)/, '$1'))).toEqual([
        'callbacks/k2',
        'messages',
      ]);
    });

    test('a decision that is refused is not taken for sent (R265)', async () => {
      answers = [status(403, { detail: 'Others decide.' })];
      const messages = [words('a'), card(1, 'k3')];
      await expect(send(messages, 'turn-1')).rejects.toThrow('Others decide.');
      expect(clients.exports.sendsDecisions({ messages: messages as never })).toBe(true);
    });

    test('tells what happens in a chat at rest, and nothing twice (R265)', async () => {
      const news = (position: string) => events(position, { type: 'data-run' });
      let told = 0;
      const end = transport().onNews('t', () => told++);
      const ended = new Promise<void>((resolve) => {
        answers = [
          news('p1'),
          news('p1'),
          news('p2'),
          news('p2'),
          (response) => {
            response.destroy();
            resolve();
          },
        ];
      });
      await ended;
      end();
      expect([told, asked.map(({ id }) => id)]).toEqual([1, [undefined, 'p1', 'p1', 'p2', 'p2']]);
    });
  });

  test('the id of a chosen conversation is that of the API (R178, R124)', async () => {
    const { chosenConversationId } = await import('../../../../core/base/text/ids');
    const token = `x.${Buffer.from('{"sub":"ada"}').toString('base64url')}.x`;
    const idOf = (chosen: string) => conversationIdOf({ url: '', token }, chosen);
    expect(await idOf('trip')).toBe(chosenConversationId('ada', 'trip'));
    expect(await idOf(chosenConversationId('ada', 'trip'))).toBe(chosenConversationId('ada', 'trip'));
    expect(await idOf(`c_${'0'.repeat(32)}`)).toBe(`c_${'0'.repeat(32)}`);
  });
});
