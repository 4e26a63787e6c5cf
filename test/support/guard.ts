import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthorizationServer } from './authorization-server';

/** A door before an MCP server: it lets requests with a token for its own address through. */
export async function guard(giver: AuthorizationServer, inside: string) {
  let url = '';
  const http = createServer(async (request, response) => {
    if (!(await giver.accepts(request, url))) return void response.writeHead(401).end();
    const { host: _, authorization, ...headers } = request.headers;
    const passedOn = ask(inside, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    request.pipe(passedOn);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return {
    url,
    stop() {
      http.closeAllConnections();
      return new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
