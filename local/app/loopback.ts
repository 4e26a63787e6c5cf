import type { IncomingMessage } from 'node:http';

/**
 * Binding to loopback keeps other machines out, but not web pages: a page of any site can post a form to 127.0.0.1, and
 * can give its own name that address (DNS rebinding). But browsers say which page sends a request, and to which name,
 * in headers that no script can change.
 */
type Headers = Pick<IncomingMessage, 'headers'>;

const name = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
/** Docker's name for this machine, by which Step Functions Local in a container calls functions. */
const dockerName = /^host\.docker\.internal(?::\d+)?$/i;

/** Whether a request comes from a program, from the page of the same address, or from the address bar. */
export function isFromOwnPage({ headers }: Headers): boolean {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
  if (!name.test(host)) return false;
  return (origin === undefined || origin === `http://${host}`) && (site === 'same-origin' || site === 'none');
}

/** Whether a request comes from a program. A browser names an origin or a site. */
export function isFromProgram({ headers }: Headers): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  return (name.test(host) || dockerName.test(host)) && origin === undefined && site === undefined;
}
