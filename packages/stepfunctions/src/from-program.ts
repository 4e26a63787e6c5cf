import type { IncomingMessage } from 'node:http';

/**
 * Binding to loopback keeps other machines out, but not web pages: a page of any site can post a form to 127.0.0.1, and
 * can give its own name that address (DNS rebinding). But browsers say which page sends a request, and to which name,
 * in headers that no script can change.
 */
export type Headers = Pick<IncomingMessage, 'headers'>;

export const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
/** Docker's name for this machine, by which Step Functions Local in a container calls functions. */
const dockerName = /^host\.docker\.internal(?::\d+)?$/i;

/**
 * Whether a request comes from a program that names this machine.
 *
 * @example
 * ```ts
 * import { isFromProgram } from 'vigil-stepfunctions/shared';
 *
 * // Before anything else in a server that asks for no credentials.
 * isFromProgram({ headers: { host: 'localhost:8083' } }); // → true
 * isFromProgram({ headers: { host: 'localhost:8083', origin: 'https://other.example' } }); // → false
 * isFromProgram({ headers: { host: 'rebound.example:8083' } }); // → false
 * ```
 */
export const isFromProgram = (request: Headers): boolean => namesThisMachine(request) && !isFromPage(request);

/**
 * Whether a request is to this machine by one of its own names.
 *
 * @example
 * ```ts
 * import { namesThisMachine } from 'vigil-stepfunctions/shared';
 *
 * namesThisMachine({ headers: { host: '127.0.0.1:3000' } }); // → true
 * namesThisMachine({ headers: { host: 'host.docker.internal:3000' } }); // → true
 * namesThisMachine({ headers: { host: 'rebound.example' } }); // → false
 * ```
 */
export const namesThisMachine = ({ headers: { host = '' } }: Headers): boolean =>
  loopbackName.test(host) || dockerName.test(host);

/** Whether a browser says that a page sends the request. It does so for each POST. */
export const isFromPage = ({ headers }: Headers): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
