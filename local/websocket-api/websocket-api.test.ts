import { once } from 'node:events';
import {
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { handwritten, lambdaResources } from '../../test/support/handwritten/assembly';
import { websocketApiResources } from '../../test/support/handwritten/websocket-api';
import { type SocketFixture, startSocketFixture } from '../../test/support/servers/socket';
import { startLocalCloud } from '../cloud';
import { openPrincipals } from '../iam/principals';

let at: SocketFixture;
beforeAll(async () => {
  at = await startSocketFixture();
});
afterAll(() => at.stop());

test('the events of a connection are those of API Gateway', async () => {
  const socket = await at.open('?a=1&a=2&b=3');
  const message = await at.tell(socket);
  const { connectionId } = message.requestContext;
  const common = {
    connectionId,
    stage: 'live',
    messageDirection: 'IN',
    domainName: new URL(at.cloud.url).host,
    connectedAt: expect.any(Number),
    requestTimeEpoch: expect.any(Number),
    identity: { sourceIp: '127.0.0.1', userAgent: '' },
  };
  expect(connectionId).toMatch(/^[\w-]{15}=$/);
  expect(message).toEqual({
    requestContext: expect.objectContaining({
      ...common,
      routeKey: 'tell',
      eventType: 'MESSAGE',
      messageId: expect.any(String),
    }),
    body: '{"action":"tell"}',
    isBase64Encoded: false,
  });
  expect(await at.given((context) => context.connectionId === connectionId)).toMatchObject({
    headers: { Upgrade: 'websocket' },
    queryStringParameters: { a: '2', b: '3' },
    multiValueQueryStringParameters: { a: ['1', '2'], b: ['3'] },
    requestContext: { ...common, routeKey: '$connect', eventType: 'CONNECT' },
  });
  socket.close(1000, 'Bye');
  await at.closing(socket);
  const end = await at.given((context) => context.connectionId === connectionId && context.eventType === 'DISCONNECT');
  expect(end.requestContext).toMatchObject({
    routeKey: '$disconnect',
    disconnectStatusCode: 1000,
    disconnectReason: 'Bye',
  });
});

test('a handshake that $connect rejects fails, as does one to another path', async () => {
  expect(await at.refusal(`${at.socketUrl()}?answer=401`)).toBe(401);
  expect(await at.refusal(`${at.socketUrl()}?answer=403`)).toBe(403);
  expect(await at.refusal(`${at.socketUrl()}/x`)).toBe(403);
  expect(await at.refusal(at.cloud.url.replace('http', 'ws'))).toBe(403);
  await fetch(`${at.cloud.url}/_local/faults`, { method: 'POST', body: '{"function":"Fn","kind":"crash"}' });
  expect(await at.refusal(at.socketUrl())).toBe(502);
});

test('the selection expression chooses the route; the result goes back if the route has a response', async () => {
  const socket = await at.open();
  for (const text of ['no JSON', '{"action":"unknown"}', '{"action":7}', '{"action":"$connect"}', '[]', 'null']) {
    expect(await at.tell(socket, text)).toMatchObject({ body: text, requestContext: { routeKey: '$default' } });
  }
  socket.send('{"action":"quiet"}');
  const { requestContext } = await at.given(({ routeKey }) => routeKey === 'quiet');
  // The next message is not the quiet route's response.
  expect(await at.tell(socket, 'fail')).toEqual({
    message: 'Internal server error',
    connectionId: requestContext.connectionId,
    requestId: expect.any(String),
  });
  socket.close();
});

test('a connection can be posted to, described and closed over the connections API; a closed one is gone', async () => {
  const socket = await at.open();
  const ConnectionId = await at.idOf(socket);
  const pushed = once(socket, 'message');
  await at.post(ConnectionId, 'Hello');
  expect(String((await pushed)[0])).toBe('Hello');
  const described = await at.gateway.send(new GetConnectionCommand({ ConnectionId }));
  expect(described).toMatchObject({ Identity: { SourceIp: '127.0.0.1' }, ConnectedAt: expect.any(Date) });
  expect(await at.refused(at.post(ConnectionId, 'x'.repeat(131_073)))).toBe('413 PayloadTooLargeException');
  const ended = at.closing(socket);
  await at.gateway.send(new DeleteConnectionCommand({ ConnectionId }));
  expect(await ended).toBe(1000);
  const late = [
    at.post(ConnectionId, 'x'),
    at.post('nobody=', 'x'),
    at.gateway.send(new GetConnectionCommand({ ConnectionId })),
  ];
  expect(new Set(await Promise.all(late.map(at.refused)))).toEqual(new Set(['410 GoneException']));
});

test('the address that the template passes to a function is mapped to the AWS port', async () => {
  const socket = await at.open();
  expect(await at.ask(socket, 'address')).toBe(`${at.cloud.awsUrl}/live`);
  socket.close();
});

test('a role without the right may not post', async () => {
  const socket = await at.open();
  const ConnectionId = await at.idOf(socket);
  const { accessKeyId } = openPrincipals(
    [{ ref: 'Small-Fn', properties: { Role: '' } } as never],
    'secret',
  ).credentialsOf({
    ref: 'Small-Fn',
  } as never);
  const stranger = at.client(accessKeyId);
  expect(await at.refused(stranger.send(new PostToConnectionCommand({ ConnectionId, Data: 'x' })))).toBe(
    '403 ForbiddenException',
  );
  stranger.destroy();
  socket.close();
});

test.each([
  [
    'another selection expression',
    { Socket: { RouteSelectionExpression: '$request.header.x' } },
    'selection expression',
  ],
  ['an authorizer', { SocketRoute0: { AuthorizationType: 'CUSTOM' } }, 'CUSTOM'],
  [
    'an unknown property',
    { Socket: { ApiKeySelectionExpression: '$request.header.x-api-key' } },
    'ApiKeySelectionExpression',
  ],
])('%s stops the start', async (_what, changes, words) => {
  const resources = { ...lambdaResources('Fn'), ...websocketApiResources('Fn', ['$connect']) };
  for (const [id, change] of Object.entries(changes)) {
    const { Properties } = resources[id] as { Properties: object };
    Object.assign(Properties, change);
  }
  const wrong = handwritten(resources, { Fn: '' });
  const start = startLocalCloud({ assembly: wrong.assembly, stateDirectory: wrong.stateDirectory });
  await expect(start).rejects.toThrow(words);
  wrong.remove();
});
