/**
 * Binding to loopback keeps other machines out, not other web pages: a page may rebind its own name to 127.0.0.1, or post a
 * form here. So the Host must be a loopback name, and an Origin, where there is one, too. Docker's name for this machine counts: a Step
 * Functions Local in a container calls our functions by it.
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
