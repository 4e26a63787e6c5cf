import type { IncomingMessage, RequestListener } from 'node:http';
import { isFromProgram } from 'vigil-stepfunctions/shared';
import { listen as listenOn, readBody, sendJson } from '../app/http-server';

/** More than any context window holds. */
const maxBodyBytes = 64_000_000;

/** Serves programs of this machine; port 0 takes a free port. `stop` also closes open streams. */
export async function listen(handle: RequestListener, port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await listenOn(port, 'its port');
  server.handle((request, response) => {
    if (isFromProgram(request)) return handle(request, response);
    sendJson(response, 403, errorBody('This server is for programs of this machine, not for web pages.'));
  });
  return server;
}

/**
 * @throws SyntaxError for a body that is not JSON, BodyTooLarge for one that is too long.
 */
export const readJson = async (request: IncomingMessage): Promise<unknown> =>
  JSON.parse((await readBody(request, maxBodyBytes)).toString());
export const errorBody = (message: string, type = 'invalid_request_error', code: string | null = null) => ({
  error: { message, type, param: null as string | null, code },
});
