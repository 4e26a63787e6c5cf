import { listen } from '../../local/model-server/listen';
import { limitedFetch } from './limited-fetch';

let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  server = await listen(({ url }, response) => {
    const json = '{"id":9007199254740993,"text":"9007199254740993 é","rate":1.5}';
    response.writeHead(200, { 'content-type': url === '/json' ? 'application/json' : 'text/event-stream' });
    if (url === '/json') return response.end(json);
    // In pieces that end anywhere.
    for (const byte of Buffer.from(`event: message\r\ndata: ${json}\r\n\r\ndata: ${json}\n\n`))
      response.write(Buffer.of(byte));
    response.end();
  });
});
afterAll(() => server.stop());

test.each(['json', 'events'])('numbers of a server keep their digits, in %s (R192)', async (kind) => {
  const { fetch } = limitedFetch(new AbortController());
  const kept = '{"id":"9007199254740993","text":"9007199254740993 é","rate":1.5}';
  const whole = kind === 'json' ? kept : `event: message\r\ndata: ${kept}\r\n\r\ndata: ${kept}\n\n`;
  expect(await (await fetch(`${server.url}/${kind}`, {})).text()).toBe(whole);
});
