import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { assertFreePort, type HttpServer, listen } from './http-server';

// The one listener behind the app's port, the AWS port and the stand-ins of model and search.

let server: HttpServer;
let served: string[];
beforeAll(async () => {
  server = await listen(0, 'PORT');
  server.handle(({ headers }, response) => {
    served.push(String(headers.host));
    response.end('served');
  });
  server.handleUpgrade(({ headers }, socket) => {
    served.push(`upgrade ${headers.host}`);
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  served = [];
});

const statusWith = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${server.url}/mcp`, { method: 'POST', headers: { host } }, (answer) => resolve(answer.resume().statusCode))
      .once('error', reject)
      .end();
  });

async function upgradeWith(host: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET /live HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return chunk.toString().slice(9, 12);
}

test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST', 'host.docker.internal:3000'])(
  'a request to %s is served (R195)',
  async (host) => {
    expect([await statusWith(host), await upgradeWith(host)]).toEqual([200, '204']);
    expect(served).toEqual([host, `upgrade ${host}`]);
  },
);

test.each([
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  'evil.example#localhost',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  '10.0.0.1',
  '0.0.0.0',
  '169.254.169.254',
  'localhost:3000.evil.example',
  '[::2]',
])('one to %s, a name that was rebound, reaches no handler (R195)', async (host) => {
  expect([await statusWith(host), await upgradeWith(host)]).toEqual([403, '403']);
  expect(served).toEqual([]);
});

test('a port in use is refused in one line, with the setting that changes it', async () => {
  const refused = `Port ${server.port} is taken: stop what uses it, or set AWS_PORT to another.`;
  await expect(assertFreePort(server.port, 'AWS_PORT')).rejects.toThrow(refused);
});
