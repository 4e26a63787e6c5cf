import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callable, checkOptions, fields, optional } from '../../../core/base/schemas/definition';

/** A third-party service with one effect per path. It counts its effects, and honours idempotency keys. */
export interface ThirdParty {
  url: string;
  /** The idempotency key of each request, in order; '' without one. */
  requests: string[];
  /** The JSON body of each request, if it had one. */
  bodies: unknown[];
  /** How many effects were made. */
  readonly effects: number;
  /** The path of each effect, in any order. */
  readonly effectPaths: string[];
  /** Answers the next requests with these statuses, without an effect. */
  failNext(...statuses: number[]): void;
  /** Makes the effect of the next request, but responds only after `release()`. Resolves when the effect is made. */
  holdNext(): Promise<void>;
  release(): void;
  stop(): Promise<void>;
}

export interface ThirdPartyOptions {
  /** Awaited after the effect and before the response. */
  answering?: () => Promise<void>;
  /** Returns the JSON of a response, by the request's path. By default, it says how many effects its path has had. */
  reply?: (path: string) => unknown;
}

/**
 * Starts a third-party service on a free port of 127.0.0.1.
 *
 * @throws ConfigurationError that names the option that is wrong.
 * @example
 * ```ts
 * import { startThirdParty } from 'vigil/testing';
 *
 * const shop = await startThirdParty(); // give its `url` to the app: startVigil({ variables: { SHOP_URL: shop.url } })
 * const order = () => fetch(`${shop.url}/orders`, { method: 'POST', headers: { 'idempotency-key': 'call-1' } });
 *
 * shop.failNext(503);
 * (await order()).status; // → 503
 * (await order()).status; // → 200
 * (await order()).status; // → 200
 * shop.effects; // → 1
 * await shop.stop();
 * ```
 */
export async function startThirdParty(options: ThirdPartyOptions = {}): Promise<ThirdParty> {
  checkOptions(
    'startThirdParty',
    options,
    fields<ThirdPartyOptions>({ answering: optional(callable), reply: optional(callable) }),
  );
  const { answering = async () => undefined, reply } = options;
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const done = new Map<string, string>();
  const failures: number[] = [];
  let hold: (() => void) | undefined;
  let release: () => void = () => undefined;
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key'] ?? '');
    requests.push(key);
    const place = bodies.push(undefined) - 1;
    const failure = failures.shift();
    const path = String(request.url);
    if (!failure) done.set(`${path} ${key || `without a key ${requests.length}`}`, path);
    const hits = [...done.values()].filter((other) => other === path).length;
    const answer = () =>
      response
        .writeHead(failure ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(reply?.(path) ?? { hits }));
    const held = hold;
    hold = undefined;
    const released =
      held &&
      new Promise<void>((resolve) => {
        release = resolve;
      });
    void request
      .toArray()
      .then((parts) => {
        const body = Buffer.concat(parts).toString();
        bodies[place] = body && JSON.parse(body);
        held?.();
        return held && released;
      })
      .then(answering)
      .then(answer, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bodies,
    get effects() {
      return done.size;
    },
    get effectPaths() {
      return [...done.values()];
    },
    failNext: (...statuses) => void failures.push(...statuses),
    holdNext: () =>
      new Promise((resolve) => {
        hold = resolve;
      }),
    release: () => release(),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
