import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server';
import { startStation } from './station';

/**
 * Starts MCP's reference server, which speaks an older revision, a door before it whose tokens an authorization server gives, and a server
 * of the current revision. The agent `connected` has tools of all.
 */
export async function startMcpServers() {
  const server = spawn(process.execPath, [join(__dirname, 'everything-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  const EVERYTHING_URL = String(line).trim();
  const giver = await startAuthorizationServer();
  const [door, station] = await Promise.all([guard(giver, EVERYTHING_URL), startStation()]);
  return {
    giver,
    door,
    station,
    variables: {
      EVERYTHING_URL,
      STATION_URL: station.url,
      GUARDED_URL: door.url,
      GUARDED_ISSUER: giver.issuer,
      GUARDED_SECRET: 'the-secret',
    },
    async stop() {
      server.kill();
      await Promise.all([door.stop(), giver.stop(), station.stop()]);
    },
  };
}

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
