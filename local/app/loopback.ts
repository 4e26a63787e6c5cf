/**
 * Binding to loopback keeps other machines out, but not other web pages: a page can rebind its own name to 127.0.0.1,
 * or post a form. So the Host, and the Origin if there is one, must be a loopback name. Docker's name for this machine
 * is accepted, because Step Functions Local in a container calls functions by it.
 */
const loopback = /^(?:localhost|host\.docker\.internal|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && loopback.test(host);
}

export function isLoopbackOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
  return isLoopbackHost(host);
}
