import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf } from '../../../../core/people/streams/server-sent';
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
      answers.shift()!(response);
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
      ...['POST /conversations', 'POST /conversations'],
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

  test('the id of a chosen conversation is that of the API (R178, R124)', async () => {
    const { chosenConversationId } = await import('../../../../core/base/text/ids');
    const token = `x.${Buffer.from('{"sub":"ada"}').toString('base64url')}.x`;
    const idOf = (chosen: string) => conversationIdOf({ url: '', token }, chosen);
    expect(await idOf('trip')).toBe(chosenConversationId('ada', 'trip'));
    expect(await idOf(chosenConversationId('ada', 'trip'))).toBe(chosenConversationId('ada', 'trip'));
    expect(await idOf(`c_${'0'.repeat(32)}`)).toBe(`c_${'0'.repeat(32)}`);
  });
});
