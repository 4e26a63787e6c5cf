/**
 * Chooses a route as an HTTP API does: the most specific path first (text before `{parameter}` before `{proxy+}`), then
 * the method before ANY, then `$default`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export interface RouteMatch<R> {
  route: R;
  parameters: Record<string, string>;
}

interface Keyed {
  routeKey: string;
}

interface Compiled<R> {
  route: R;
  method: string;
  pattern: RegExp;
  names: string[];
  /** Compared as text. A higher rank is more specific. */
  rank: string;
}

const defaultRoute = '$default';

/** Returns a function that finds the route of a request. `path` is the raw path without the stage. */
export function routeTable<R extends Keyed>(
  routes: readonly R[],
): (method: string, path: string) => RouteMatch<R> | undefined {
  const compiled = routes.filter(({ routeKey }) => routeKey !== defaultRoute).map(compile);
  compiled.sort((a, b) => (a.rank < b.rank ? 1 : -1));
  const fallback = routes.find(({ routeKey }) => routeKey === defaultRoute);

  return (method, path) => {
    for (const candidate of compiled) {
      if (candidate.method !== 'ANY' && candidate.method !== method) continue;
      const match = candidate.pattern.exec(path);
      if (!match) continue;
      const values = candidate.names.map((name, index) => [name, decode(match[index + 1] ?? '')] as const);
      return { route: candidate.route, parameters: Object.fromEntries(values) };
    }
    return fallback && { route: fallback, parameters: {} };
  };
}

function compile<R extends Keyed>(route: R): Compiled<R> {
  const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(route.routeKey) ?? [];
  if (!method || !path) throw new Error(`The local cloud does not understand the route ${route.routeKey}.`);
  const names: string[] = [];
  let rank = '';
  const segments = path.split('/').map((segment) => {
    const [, name, greedy] = /^\{([^}+]+)(\+?)\}$/.exec(segment) ?? [];
    rank += !name ? '3' : greedy ? '1' : '2';
    if (!name) return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    names.push(name);
    return greedy ? '(.+)' : '([^/]+)';
  });
  return {
    route,
    method,
    names,
    pattern: new RegExp(`^${segments.join('/')}/?$`),
    rank: rank + (method === 'ANY' ? '0' : '1'),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
