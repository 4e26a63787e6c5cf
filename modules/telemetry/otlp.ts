import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { retryAfter } from 'vigil-client/shared';
import { ConfigurationError } from '../../core/base/text/errors';

const compressed = promisify(gzip);

/** The backend has not taken a request, and may take it later. Nothing of it is lost: Lambda makes another attempt. */
class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

/** The backend will never take this request. */
class Refused extends Error {
  override readonly name = 'Refused';
}

export interface Backend {
  /** The address of the backend, to which `/v1/traces` is appended if it lacks that path. */
  endpoint: string;
  /** The value of OTEL_EXPORTER_OTLP_HEADERS: `name=value` pairs, with values in percent-encoding, separated by commas. */
  headers(): Promise<string | undefined>;
  /** Clears the cache of the headers. */
  forget(): void;
}

const answerMs = 8_000;
const attempts = 3;
const longestPauseMs = 5_000;

/**
 * Sends a request by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/), and repeats it a few times if the backend is busy.
 *
 * @returns the answer, of which a part may say that something was rejected.
 * @throws NotTaken if the backend is busy, does not answer, or is set up wrongly. @throws Refused if it refuses this request for good.
 * @throws ConfigurationError if the headers cannot be read.
 */
export async function send(backend: Backend, body: Uint8Array): Promise<Uint8Array> {
  const url = addressOf(backend.endpoint);
  const headers = {
    ...headersIn(await backend.headers()),
    'content-type': 'application/x-protobuf',
    'content-encoding': 'gzip',
    'user-agent': 'vigil',
  };
  const zipped = await compressed(body);
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: zipped,
      // The headers have a key.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    }).catch((error: Error) => error);
    if (response instanceof Response && response.ok) return new Uint8Array(await response.arrayBuffer());
    const problem = response instanceof Response ? problemOf(response) : new NotTaken('The backend cannot be reached.');
    if (response instanceof Response) await response.body?.cancel();
    const status = response instanceof Response ? response.status : 0;
    // A corrected secret must work at once.
    if (status === 401 || status === 403) backend.forget();
    if (problem.name === 'Refused' || !isBusy(status) || attempt === attempts) throw problem;
    await sleep(pauseMs(response, attempt));
  }
}

/** As the protocol says, and for a backend that does not answer at all. */
const isBusy = (status: number): boolean => [0, 429, 502, 503, 504].includes(status);

/** The operator's mistakes, and redirects, which the operator corrects. What was not taken meanwhile is kept. */
const isSetUpWrongly = (status: number): boolean =>
  [401, 403, 404, 405, 407].includes(status) || (status >= 300 && status < 400);

/** The words of the backend may repeat what it was sent. */
function problemOf({ status }: Response): NotTaken | Refused {
  const isTaken = isBusy(status) || isSetUpWrongly(status) || status >= 500;
  return isTaken
    ? new NotTaken(`The backend answers with status ${status}.`)
    : new Refused(`The backend answers with status ${status}.`);
}

function pauseMs(response: Response | Error, attempt: number): number {
  const asked = response instanceof Response ? retryAfter(response.headers, new Date()) : undefined;
  const pause = asked ? asked.getTime() - Date.now() : 2 ** attempt * 250 * (1 + Math.random());
  return Math.min(longestPauseMs, Math.max(0, pause));
}

export const addressOf = (endpoint: string): string =>
  `${endpoint.replace(/\/+$/, '').replace(/\/v1\/traces$/, '')}/v1/traces`;

/** @throws ConfigurationError, which does not quote them. */
export function headersIn(list = ''): Record<string, string> {
  const wrong = new ConfigurationError(
    'OTEL_EXPORTER_OTLP_HEADERS: write name=value pairs, separated by commas, with values in percent-encoding: authorization=Basic%20….',
  );
  const pairs = list.split(',').flatMap((pair) => {
    if (pair.trim() === '') return [];
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
    if (!name) throw wrong;
    try {
      return [[name.toLowerCase(), decodeURIComponent(value!.trim())] as const];
    } catch {
      throw wrong;
    }
  });
  if (pairs.some(([, value]) => !/^[\x20-\x7e]+$/.test(value))) throw wrong;
  return Object.fromEntries(pairs);
}
