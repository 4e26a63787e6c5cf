import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type LookupFunction } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Address } from '../../../runtime/outgoing/public-lookup';
import { fetchPublicPage } from './public-fetch';

// The internet of these tests: `names` resolves names, and every connection ends at one local server, which records where it would have
// gone.

let server: Server;
let answer: RequestListener;
let requests: string[];
let dialled: Address[][];
let resolved: string[];
let names: Record<string, Address[] | (() => Address[])>;

const publicly: Address[] = [{ address: '93.184.216.34', family: 4 }];
const at = (...addresses: string[]): Address[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [requests, dialled, resolved] = [[], [], []];
  names = { 'site.example': publicly };
  answer = html('<p>Hello</p>');
});

const fetchPage = (url: string, timeoutMs?: number) =>
  fetchPublicPage(
    url,
    {
      async resolve(hostname) {
        resolved.push(hostname);
        const found = names[hostname];
        if (!found) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
        return typeof found === 'function' ? found() : found;
      },
      connect({ lookup, host }) {
        (lookup as LookupFunction)(String(host), { all: true }, (_error, addresses) => {
          dialled.push(addresses as Address[]);
        });
        return connect((server.address() as AddressInfo).port, '127.0.0.1');
      },
    },
    timeoutMs,
  );
const refused = (message: RegExp) =>
  expect.objectContaining({ name: 'TellModel', message: expect.stringMatching(message) });
const html =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
const redirect =
  (...locations: string[]): RequestListener =>
  (_request, response) => {
    const location = locations.shift();
    if (location) response.writeHead(302, { location }).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('the end');
  };

test('a page is fetched from the address that was checked, and tells where it was found (R102)', async () => {
  answer = redirect('/there', 'http://other.example/end?x=1');
  names['other.example'] = at('2606:4700::1', '104.16.0.1');
  expect(await fetchPage('http://site.example/')).toEqual({
    url: 'http://other.example/end?x=1',
    type: 'text/plain',
    text: 'the end',
  });
  expect(dialled).toEqual([publicly, publicly, at('2606:4700::1', '104.16.0.1')]);
  expect(requests).toEqual(['site.example/', 'site.example/there', 'other.example/end?x=1']);
});

describe('what is not public is not connected to (R123)', () => {
  test.each([
    ['the metadata service', at('169.254.169.254')],
    ['a public and a private address', at('93.184.216.34', '10.0.0.1')],
    ['something that is no address', at('not-an-address')],
  ])('a name that leads to %s', async (_kind, addresses) => {
    names['site.example'] = addresses;
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/not on the public internet/));
    expect([dialled, requests]).toEqual([[], []]);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    '//metadata.google.internal/',
    'http://site.example:6379/',
    'file:///etc/passwd',
    'http://inside.example/',
  ])('a page that redirects to %s', async (location) => {
    names['inside.example'] = at('192.168.0.10');
    answer = redirect(location, 'never reached');
    await expect(fetchPage('http://site.example/')).rejects.toMatchObject({ name: 'TellModel' });
    expect(requests).toEqual(['site.example/']);
  });

  test('a name that leads elsewhere when it is asked again: each hop asks once, and connects to what it checked', async () => {
    const answers = [publicly, at('127.0.0.1')];
    names['rebinding.example'] = () => answers.shift() ?? at('127.0.0.1');
    await fetchPage('http://rebinding.example/');
    expect([resolved, dialled]).toEqual([['rebinding.example'], [publicly]]);

    answer = redirect('http://rebinding.example/again');
    answers.splice(0, 1, publicly, at('127.0.0.1'));
    await expect(fetchPage('http://rebinding.example/')).rejects.toEqual(refused(/public internet/));
  });

  test('Node itself connects to nothing but what was checked', async () => {
    const { port } = server.address() as AddressInfo;
    const rebinding = { resolve: async () => at('127.0.0.1') };
    await expect(fetchPublicPage(`http://site.example:${port}/`, rebinding)).rejects.toEqual(refused(/Port/));
    await expect(fetchPublicPage('http://site.example/', rebinding)).rejects.toEqual(refused(/public internet/));
    await expect(fetchPublicPage('https://site.example/', rebinding)).rejects.toEqual(refused(/public internet/));
    expect(requests).toEqual([]);
  });
});

describe('a page is limited (R123)', () => {
  test('in redirects', async () => {
    answer = (_request, response) => response.writeHead(301, { location: '/' }).end();
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/more than 5 times/));
    expect(requests).toHaveLength(6);
  });

  test('in size, while it streams and without an end', async () => {
    let sent = 0;
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const more = () => {
        if (response.destroyed) return;
        sent += 100_000;
        response.write(Buffer.alloc(100_000, 'a'), more);
      };
      more();
    };
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/larger than 4 MB/));
    expect(sent).toBeLessThan(20_000_000);
  });

  test.each([
    // A gzip file of several members, which decompress to 200 MB.
    ['gzip', Buffer.concat(Array(20).fill(gzipSync(Buffer.alloc(10_000_000))))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ])('in size, after %s: a bomb is not unpacked further', async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(300_000);
    answer = html(bomb, { 'content-encoding': encoding });
    const before = process.memoryUsage().arrayBuffers;
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/larger than 4 MB/));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });

  test.each([
    ['does not answer', () => undefined],
    ['answers drop by drop', dripping({ 'content-type': 'text/html' })],
    ['answers drop by drop, packed', dripping({ 'content-type': 'text/html', 'content-encoding': 'gzip' })],
  ])('in time: a server that %s', async (_way, slow: RequestListener) => {
    answer = slow;
    await expect(fetchPage('http://site.example/', 150)).rejects.toEqual(refused(/took too long/));
  });

  test('in time: a name server that does not answer', async () => {
    const silent = { resolve: () => new Promise<Address[]>(() => undefined) };
    await expect(fetchPublicPage('http://site.example/', silent, 100)).rejects.toEqual(refused(/took too long/));
  });

  test.each(['application/pdf', 'image/png', 'application/octet-stream', 'video/mp4', 'multipart/mixed'])(
    'to types with text in them: not %s',
    async (type) => {
      answer = html('x', { 'content-type': type });
      await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/There is no text to read/));
    },
  );
});

function dripping(headers: Record<string, string>): RequestListener {
  return (_request, response) => {
    response.writeHead(200, headers);
    const bytes = gzipSync(Buffer.alloc(1_000, 'abc'));
    let sent = 0;
    const timer = setInterval(() => response.write(bytes.subarray(sent, ++sent)), 20);
    response.once('close', () => clearInterval(timer));
  };
}

describe('a page as it comes (R102)', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('packed with %s', async (encoding, pack) => {
    answer = html(pack(Buffer.from('<p>Grüße</p>')), { 'content-encoding': encoding });
    expect((await fetchPage('http://site.example/')).text).toBe('<p>Grüße</p>');
  });

  test.each([
    ['text/html; charset=ISO-8859-1', '<p>Grüße</p>'],
    ['text/html', '<meta charset="windows-1252"><p>Grüße</p>'],
  ])('in the encoding that %s and %s name', async (type, body) => {
    answer = html(Buffer.from(body, 'latin1'), { 'content-type': type });
    expect((await fetchPage('http://site.example/')).text).toContain('Grüße');
  });

  test.each(['application/json', 'application/ld+json', 'application/xhtml+xml', 'text/plain', 'application/rss+xml'])(
    'as %s',
    async (type) => {
      answer = html('body', { 'content-type': `${type}; charset=utf-8` });
      expect(await fetchPage('http://site.example/')).toMatchObject({ type, text: 'body' });
    },
  );

  test.each([404, 410, 500, 503, 204, 304])('status %i is an error that the model reads (R21)', async (status) => {
    answer = (_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end();
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(new RegExp(`status ${status}`)));
  });

  test.each([101, 103])(
    'a server that answers %i and nothing after it does not hold up the fetch (R150)',
    async (status) => {
      answer = ({ socket }) =>
        socket.end(`HTTP/1.1 ${status} Maybe\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/status 101|closed the connection/));
    },
  );

  test.each(['identity', 'gzip', 'br'])('a body in %s that the deadline cuts is no page (R150)', async (encoding) => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding });
      const body = Buffer.from('<p>The first half.</p>'.repeat(1_000));
      response.write(
        encoding === 'gzip'
          ? gzipSync(body).subarray(0, -12)
          : encoding === 'br'
            ? brotliCompressSync(body).subarray(0, -4)
            : body,
      );
    };
    await expect(fetchPage('http://site.example/', 300)).rejects.toEqual(refused(/took too long/));
  });

  test('so is a body that would end with its connection (R150)', async () => {
    answer = ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>The first half');
    await expect(fetchPage('http://site.example/', 300)).rejects.toEqual(refused(/took too long/));
  });

  test('so are a site that does not exist, a broken answer and one that has an unknown encoding (R21)', async () => {
    await expect(fetchPage('http://nowhere.example/')).rejects.toEqual(refused(/no such site/));
    answer = (request) => request.socket.destroy();
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/closed the connection/));
    answer = html('not gzip', { 'content-encoding': 'gzip' });
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/could not be fetched/));
    answer = html('x', { 'content-encoding': 'gzip, gzip' });
    await expect(fetchPage('http://site.example/')).rejects.toEqual(refused(/unknown content encoding/));
  });
});
