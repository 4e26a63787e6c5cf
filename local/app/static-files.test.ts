import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type HttpServer, listen, sendJson } from './http-server';
import { staticFiles } from './static-files';

const script = `console.log("${'long '.repeat(200)}");`;
let folder: string;
let server: HttpServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-static-'));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['assets/a.js', 'assets/font.woff2', 'index.html', '.secret.js'])
    writeFileSync(join(folder, name), script);
  server = await listen(0, 'PORT');
  const serve = staticFiles(folder, 'http://127.0.0.1:4566', ':root { --radius: 0rem; }');
  server.handle(async (asked, response) => {
    if (!(await serve(asked, response))) sendJson(response, 404, {});
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** `fetch` would decompress, and tidy the path. */
async function get(path: string, accepted?: string) {
  const asked = request({
    port: server.port,
    host: '127.0.0.1',
    path,
    headers: accepted ? { 'accept-encoding': accepted } : {},
  });
  asked.end();
  const [response] = await new Promise<[import('node:http').IncomingMessage]>((resolve, reject) => {
    asked.once('response', (response) => resolve([response])).once('error', reject);
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test.each(['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.8', 'GZIP;q=0.001'])(
  'compressed for %s',
  async (accepted) => {
    for (const path of ['/assets/a.js', '/assets/a.js', '/']) {
      const { headers, body } = await get(path, accepted);
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
      expect(headers['content-length']).toBe(String(body.length));
      expect(gunzipSync(body).toString()).toBe(script);
    }
  },
);

test.each([undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br', 'xgzip'])('not compressed for %s', async (accepted) => {
  const { headers, body } = await get('/assets/a.js', accepted);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('accept-encoding');
  expect(body.toString()).toBe(script);
});

test('what is compressed already is sent as it is', async () => {
  const { headers, body } = await get('/assets/font.woff2', 'gzip');
  expect([headers['content-encoding'], headers.vary, body.toString()]).toEqual([undefined, undefined, script]);
});

test('only assets are kept by browsers; nothing outside the folder and nothing hidden is served', async () => {
  expect((await get('/assets/a.js')).headers['cache-control']).toContain('immutable');
  expect((await get('/')).headers['cache-control']).toBe('no-cache');
  for (const path of ['/.secret.js', '/assets/../.secret.js', '/..%2fa.js', '/assets', '/none.js'])
    expect((await get(path)).status).toBe(404);
});

test('the page is framed by itself alone, and frames nothing else (R151)', async () => {
  const { headers } = await get('/');
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy.filter((one) => one.startsWith('frame'))).toEqual(["frame-src 'self'", "frame-ancestors 'self'"]);
});

test('has the theme of the deployment, under the policy of the page (R257)', async () => {
  const { status, headers, body } = await get('/theme.css');
  expect([status, body.toString()]).toEqual([200, ':root { --radius: 0rem; }']);
  expect(headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' });
  expect(headers['content-security-policy']).toContain("style-src 'self'");
});
