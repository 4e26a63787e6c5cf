import { existsSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiResources, signedIn, userResources } from '../../test/support/handwritten/api';
import { type Handwritten, handwritten, lambdaResources } from '../../test/support/handwritten/assembly';
import { type LocalCloud, startLocalCloud } from '../cloud';

const source = `exports.handler = async (event) => {
  if (event.rawPath === '/fails') throw new Error('inside');
  if (event.rawPath === '/plain') return { said: 'plain' };
  if (event.rawPath === '/picture') return { statusCode: 200, headers: { 'Content-Type': 'image/png' }, body: 'iVBORw==', isBase64Encoded: true };
  return { statusCode: 201, headers: { 'content-type': 'application/json' }, cookies: ['a=1', 'b=2'], body: JSON.stringify(event) };
};`;

let made: Handwritten;
let cloud: LocalCloud;

beforeAll(async () => {
  const cors = {
    AllowOrigins: ['http://page.test'],
    AllowMethods: ['GET'],
    AllowHeaders: ['authorization'],
    MaxAge: 60,
  };
  const routes = {
    'GET /things/{id}': signedIn,
    'POST /{proxy+}': {},
    'GET /{proxy+}': {},
    'GET /scoped': { ...signedIn, AuthorizationScopes: ['admin'] },
    'GET /own': { ...signedIn, AuthorizationScopes: ['admin', 'aws.cognito.signin.user.admin'] },
  };
  const resources = { ...lambdaResources('Api'), ...apiResources('Api', routes, cors), ...userResources };
  made = handwritten(resources, { Api: source });
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
});
afterAll(async () => {
  await cloud.stop();
  made.remove();
});

const call = (path: string, options: RequestInit = {}) => fetch(cloud.url + path, options);
const post = (path: string, body: unknown) => call(path, { method: 'POST', body: JSON.stringify(body) });
const bearer = async (user: string) => {
  const { token } = (await (await post('/_local/token', { user })).json()) as { token: string };
  return { authorization: `Bearer ${token}` };
};
/** `fetch` sets Host itself. */
const statusWithHost = (host: string, headers: object = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const asked = request(`${cloud.url}/_local/health`, { headers: { host, ...headers } }, (answer) =>
      resolve(answer.resume().statusCode),
    );
    asked.once('error', reject).end();
  });

test('a request becomes an event in payload format 2.0, and the result a response', async () => {
  const response = await call('/a/b?x=1&x=2&y=3', { headers: { cookie: 'c=1; d=2', 'x-thing': 'v' } });
  expect([response.status, response.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']]);
  expect(await response.json()).toMatchObject({
    version: '2.0',
    routeKey: 'GET /{proxy+}',
    rawPath: '/a/b',
    rawQueryString: 'x=1&x=2&y=3',
    cookies: ['c=1', 'd=2'],
    headers: { 'x-thing': 'v' },
    queryStringParameters: { x: '1,2', y: '3' },
    pathParameters: { proxy: 'a/b' },
    requestContext: { http: { method: 'GET', path: '/a/b', protocol: 'HTTP/1.1' }, stage: '$default' },
    isBase64Encoded: false,
  });
});

test('text is passed as text, anything else as base64, both ways', async () => {
  const json = await call('/x', { method: 'POST', body: '{"ü":1}', headers: { 'content-type': 'application/json' } });
  expect(await json.json()).toMatchObject({ body: '{"ü":1}', isBase64Encoded: false });
  const bytes = await call('/x', {
    method: 'POST',
    body: new Uint8Array([0, 255]),
    headers: { 'content-type': 'image/png' },
  });
  expect(await bytes.json()).toMatchObject({ body: 'AP8=', isBase64Encoded: true });
  expect(Buffer.from(await (await call('/picture')).arrayBuffer())).toEqual(Buffer.from('iVBORw==', 'base64'));
});

test('a result without a status is the body of a 200, an error is a 500 without details', async () => {
  const plain = await call('/plain');
  expect([plain.status, plain.headers.get('content-type'), await plain.json()]).toEqual([
    200,
    'application/json',
    { said: 'plain' },
  ]);
  const failed = await call('/fails');
  expect([failed.status, await failed.json()]).toEqual([500, { message: 'Internal Server Error' }]);
});

test('a path without a route is not found', async () => {
  const response = await call('/things/7', { method: 'PATCH' });
  expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
});

test('a signed token gives access to the route, and its claims are strings', async () => {
  const response = await call('/things/7', { headers: await bearer('alice') });
  const { requestContext, pathParameters } = (await response.json()) as {
    requestContext: { authorizer: { jwt: object } };
    pathParameters: object;
  };
  expect(pathParameters).toEqual({ id: '7' });
  expect(requestContext.authorizer.jwt).toMatchObject({
    claims: {
      'cognito:username': 'alice',
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
      exp: expect.stringMatching(/^\d+$/),
      token_use: 'access',
    },
    scopes: null,
  });
});

test.each([
  ['no token', () => ({})],
  ['no token at all', () => ({ authorization: 'Bearer x.y.z' })],
  [
    'a token whose signature was changed',
    async () => ({ authorization: (await bearer('alice')).authorization.replace(/.{6}$/, 'AAAAAA') }),
  ],
])('%s is 401', async (_name, headers) => {
  const response = await call('/things/7', { headers: (await headers()) as Record<string, string> });
  expect([response.status, await response.json()]).toEqual([401, { message: 'Unauthorized' }]);
});

test('a token without the route’s scope is 403; a token of the pool has that of a sign-in without OAuth', async () => {
  expect((await call('/scoped', { headers: await bearer('alice') })).status).toBe(403);
  const response = await call('/own', { headers: await bearer('alice') });
  const { requestContext } = (await response.json()) as { requestContext: { authorizer: { jwt: object } } };
  expect(requestContext.authorizer.jwt).toMatchObject({ scopes: ['aws.cognito.signin.user.admin'] });
});

test('a token expires by the moved clock, when its client says, and the next one is valid', async () => {
  const headers = await bearer('alice');
  expect((await post('/_local/clock', { advance: 'PT19M' })).status).toBe(200);
  expect((await call('/things/7', { headers })).status).toBe(201);
  expect((await post('/_local/clock', { advance: 'PT1M' })).status).toBe(200);
  expect((await call('/things/7', { headers })).status).toBe(401);
  expect((await call('/things/7', { headers: await bearer('alice') })).status).toBe(201);
});

test('a preflight request is answered for an allowed origin only', async () => {
  const preflight = (origin: string) =>
    call('/things/7', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } });
  const allowed = await preflight('http://page.test');
  expect([
    allowed.status,
    allowed.headers.get('access-control-allow-origin'),
    allowed.headers.get('access-control-max-age'),
  ]).toEqual([204, 'http://page.test', '60']);
  expect((await preflight('http://evil.test')).headers.get('access-control-allow-origin')).toBeNull();
});

test('an error response has the CORS headers, so that the page can read it', async () => {
  const response = await call('/things/7', { headers: { origin: 'http://page.test' } });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, 'http://page.test']);
});

test.each([
  ['a program', 'localhost:3000', {}, 200],
  ['its own page', 'localhost:3000', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, 200],
  ['the address bar', '127.0.0.1:3000', { 'sec-fetch-site': 'none' }, 200],
  ['a rebound name', 'rebound.test:3000', {}, 403],
  ['a rebound name and its page', 'rebound.test:3000', { origin: 'http://rebound.test:3000' }, 403],
  ['a name that begins like ours', '127.0.0.1.nip.test', {}, 403],
  ['Docker’s name, which a network can answer for', 'host.docker.internal:3000', {}, 403],
  ['a page of another site', 'localhost:3000', { origin: 'https://evil.test' }, 403],
  ['a page without an origin', 'localhost:3000', { origin: 'null' }, 403],
  ['a page of another port', 'localhost:3000', { origin: 'http://localhost:5173' }, 403],
  ['a request of a page of another port', 'localhost:3000', { 'sec-fetch-site': 'same-site' }, 403],
  ['a request of a page of another site', 'localhost:3000', { 'sec-fetch-site': 'cross-site' }, 403],
])('/_local and %s, by the name %s with %j: %d (R151)', async (_who, host, headers, status) => {
  expect(await statusWithHost(host, headers)).toBe(status);
});

test('routes of the API serve pages of other origins', async () => {
  const headers = { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' };
  expect((await call('/plain', { headers })).status).toBe(200);
});

test.each([
  ['/_local/faults', { function: 'Nobody', kind: 'crash' }, 'function', 'function must be one of: Api.'],
  [
    '/_local/faults',
    { function: 'Api', kind: 'x' },
    'kind',
    'kind must be one of: crash, error, throttle, timeout, kill.',
  ],
  ['/_local/clock', { advance: '3 days' }, 'advance', 'advance must be an ISO 8601 duration'],
  ['/_local/clock', { advance: 'P1D', jump: 'yes' }, 'jump', 'jump must be true or false'],
  ['/_local/clock', { to: '2001-01-01T00:00:00Z' }, 'to', 'The clock moves forward only'],
  ['/_local/token', { user: 'a b' }, 'user', 'user must be'],
  ['/_local/token', { user: 'fay', groups: ['the finance'] }, 'groups', 'groups must be'],
  ['/_local/token', { user: 'fay', claims: { level: 3 } }, 'claims', 'claims must be'],
])('%s refuses %j with the field and what is allowed', async (path, body, field, message) => {
  const response = await post(path, body);
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  expect(await response.json()).toMatchObject({
    status: 400,
    detail: expect.stringContaining(message),
    errors: [{ path: field }],
  });
});

test('a fault takes effect, is listed until then, and can be removed', async () => {
  await post('/_local/faults', { function: 'Api', kind: 'crash', times: 2 });
  expect((await call('/plain')).status).toBe(500);
  expect(await (await call('/_local/faults')).json()).toMatchObject({
    faults: [{ kind: 'crash', at: 'before', times: 1 }],
  });
  await call('/_local/faults', { method: 'DELETE' });
  expect((await call('/plain')).status).toBe(200);
});

test('the boundaries that a run passes are listed on request, and each can be a fault in the next run', async () => {
  await call('/plain');
  expect(await (await call('/_local/boundaries')).json()).toEqual({ boundaries: [] });
  await post('/_local/boundaries', {});
  await call('/plain');
  await call('/plain');
  const { boundaries } = (await (await call('/_local/boundaries')).json()) as { boundaries: object[] };
  expect(boundaries).toEqual([
    { function: 'Api', nth: 1, at: 'before' },
    { function: 'Api', nth: 1, at: 'after' },
    { function: 'Api', nth: 2, at: 'before' },
    { function: 'Api', nth: 2, at: 'after' },
  ]);

  await post('/_local/faults', { ...boundaries[2], kind: 'crash' });
  expect((await call('/plain')).status).toBe(200);
  expect((await call('/plain')).status).toBe(500);
});

test('health lists the resources', async () => {
  const health = await (await call('/_local/health')).json();
  expect(health).toMatchObject({
    status: 'ok',
    url: cloud.url,
    resources: expect.arrayContaining([expect.objectContaining({ name: 'Api', type: 'AWS::Lambda::Function' })]),
  });
});

test('a request whose client goes before it begins never begins (R188)', async () => {
  const blocking = (folder: string) => `
    const { existsSync, writeFileSync } = require('node:fs');
    const at = (name) => ${JSON.stringify(folder)} + '/' + name;
    writeFileSync(at('loading'), '');
    while (!existsSync(at('go'))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    const served = [];
    exports.handler = async ({ rawPath }) => served.push(rawPath) && { served };`;
  const slow = handwritten(
    { ...lambdaResources('Api'), ...apiResources('Api', { 'GET /{proxy+}': {} }), ...userResources },
    { Api: '' },
  );
  const at = (name: string) => join(slow.stateDirectory, name);
  writeFileSync(join(slow.assembly, 'asset.Api/index.js'), blocking(slow.stateDirectory));
  const other = await startLocalCloud({ assembly: slow.assembly, stateDirectory: slow.stateDirectory });
  try {
    const stop = new AbortController();
    const left = fetch(`${other.url}/left`, { signal: stop.signal });
    while (!existsSync(at('loading'))) await sleep(10);
    stop.abort();
    await expect(left).rejects.toThrow('aborted');
    // The cloud hears of it before it has answered these.
    for (let turn = 0; turn < 10; turn++) await fetch(`${other.url}/_local/health`);
    const kept = fetch(`${other.url}/kept`);
    writeFileSync(at('go'), '');
    expect(await (await kept).json()).toEqual({ served: ['/kept'] });
  } finally {
    await other.stop();
    slow.remove();
  }
});
