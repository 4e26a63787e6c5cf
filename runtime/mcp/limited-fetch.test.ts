import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitedFetch } from './limited-fetch';

let server: Server;
let address: string;
beforeAll(async () => {
  server = createServer(({ url }, response) => {
    const json = '{"id":9007199254740993,"text":"9007199254740993 é","rate":1.5}';
    response.writeHead(200, { 'content-type': url === '/json' ? 'application/json' : 'text/event-stream' });
    if (url === '/json') return response.end(json);
    // In pieces that end anywhere.
    for (const byte of Buffer.from(`event: message\r\ndata: ${json}\r\n\r\ndata: ${json}\n\n`))
      response.write(Buffer.of(byte));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each(['json', 'events'])('numbers of a server keep their digits, in %s (R192)', async (kind) => {
  const { fetch } = limitedFetch(new AbortController());
  const kept = '{"id":"9007199254740993","text":"9007199254740993 é","rate":1.5}';
  const whole = kind === 'json' ? kept : `event: message\r\ndata: ${kept}\r\n\r\ndata: ${kept}\n\n`;
  expect(await (await fetch(`${address}/${kind}`, {})).text()).toBe(whole);
});
