import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Headers, loopbackName } from 'vigil-stepfunctions/shared';
import { parseDuration } from '../../core/base/time/duration';
import type { Identity } from '../http-api/identity';
import type { AnsweredTools } from './answered';
import type { Boundaries } from './boundaries';
import type { Changes } from './changes';
import { type Faults, InvalidFault } from './faults';
import { BodyTooLarge, readBody, send, sendJson } from './http-server';
import { type Distance, type Moves, MoveUnderWay } from './moves';

/** Whether a request comes from a program, from the page of the same address, or from the address bar. */
function isFromOwnPage({ headers }: Headers): boolean {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
  if (!loopbackName.test(host)) return false;
  return (origin === undefined || origin === `http://${host}`) && (site === 'same-origin' || site === 'none');
}

/** The routes that only the local cloud has, under `/_local`: health, token, clock, faults, boundaries, tools, changes. */
export interface LocalRoutes {
  /** The time, and whether the clock is moving. */
  time: () => LocalTime;
  moves: Moves;
  faults: Faults;
  boundaries: Boundaries;
  answered: AnsweredTools;
  changes: Changes;
  identity: Identity;
  health: () => object;
}

/** The body of `GET /_local/clock`. */
interface LocalTime {
  now: string;
  /** Milliseconds ahead of the machine's clock. */
  offset: number;
  /** The end of the move that is under way. */
  movingTo?: string;
}

type Route = (body: Record<string, unknown>) => Promise<object> | object;

/** An error as problem details (RFC 9457). `field` is the invalid one. */
class Problem extends Error {
  override name = 'Problem';
  constructor(
    readonly status: number,
    readonly title: string,
    detail: string,
    readonly field?: string,
  ) {
    super(detail);
  }
}

const bodyLimit = 10_000;
const maxCount = 1_000_000_000;
/** A longer move is answered while it is under way: clients give up after five minutes without an answer. */
const answerMs = 60_000;

export function localRoutes({ time, moves, faults, boundaries, answered, changes, identity, health }: LocalRoutes) {
  const routes: Readonly<Record<string, Route>> = {
    'GET /_local/health': health,
    'GET /_local/clock': time,
    'POST /_local/clock': async (body) => {
      if (body.stop === true) {
        await moves.stop();
        return time();
      }
      const { jump = false, withinMs, waitMs = answerMs } = body;
      if (typeof jump !== 'boolean') throw new Problem(400, 'Bad input', 'jump must be true or false.', 'jump');
      const within = withinMs === undefined ? undefined : countOf('withinMs', withinMs);
      const longest = countOf('waitMs', waitMs);
      // It goes on when this is answered, and when whoever asks has gone.
      const move = moves.move(distanceOf(body, Date.parse(time().now)), { jump, withinMs: within });
      const answered = new AbortController();
      const late = sleep(longest, undefined, { signal: answered.signal, ref: false }).catch(() => undefined);
      await Promise.race([move, late]).finally(() => answered.abort());
      return time();
    },
    'GET /_local/faults': () => ({ faults: faults.list() }),
    'POST /_local/faults': (body) => faults.add(body),
    'DELETE /_local/faults': () => {
      faults.clear();
      return { faults: [] };
    },
    'GET /_local/boundaries': () => ({ boundaries: boundaries.list() }),
    'POST /_local/boundaries': () => {
      boundaries.begin();
      return { boundaries: [] };
    },
    'POST /_local/tools': ({ answeredBy }) => {
      if (!isText(answeredBy, /^http:\/\/127\.0\.0\.1:\d+\/?$/))
        throw new Problem(400, 'Bad input', 'answeredBy must be http://127.0.0.1:<port>.', 'answeredBy');
      answered.ask(answeredBy);
      return { answeredBy };
    },
    'DELETE /_local/tools': () => {
      answered.ask();
      return {};
    },
    'POST /_local/changes': async ({ after, withinMs }) => ({
      writes: await changes.wait(countOf('after', after), countOf('withinMs', withinMs)),
    }),
    'POST /_local/token': async ({ user, groups = [], claims = {}, machine }) => {
      if (machine === true) {
        const token = identity.machineToken();
        if (token) return token;
        throw new Problem(400, 'Bad input', 'There is no client for machines: set VIGIL_MACHINES=on.', 'machine');
      }
      if (!isText(user, /^[\w.@+-]{1,128}$/))
        throw new Problem(400, 'Bad input', 'user must be 1 to 128 letters, digits or any of _ . @ + -', 'user');
      if (!Array.isArray(groups) || !groups.every((one) => isText(one, /^\S{1,128}$/)))
        throw new Problem(
          400,
          'Bad input',
          'groups must be a list of names of 1 to 128 characters without spaces.',
          'groups',
        );
      if (!areClaims(claims))
        throw new Problem(400, 'Bad input', 'claims must be an object of texts, like {"team": "finance"}.', 'claims');
      return { user, ...(await identity.tokenFor({ user, groups, claims })) };
    },
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      assertOurs(request);
      const path = new URL(request.url ?? '/', 'http://local').pathname;
      const route = routes[`${request.method} ${path}`];
      if (!route) throw new Problem(404, 'Not found', `Available: ${Object.keys(routes).join(', ')}.`);
      sendJson(response, 200, await route(request.method === 'POST' ? await bodyOf(request) : {}), {
        'cache-control': 'no-store',
      });
    } catch (error) {
      sendProblem(response, problemOf(error));
    }
  };
}

function assertOurs(request: IncomingMessage): void {
  if (isFromOwnPage(request)) return;
  throw new Problem(
    403,
    'Own page only',
    '/_local serves the page of its own address, and programs of this machine, as localhost or 127.0.0.1.',
  );
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = (await readBody(request, bodyLimit)).toString();
  try {
    const body: unknown = JSON.parse(text || '{}');
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {}
  throw new Problem(400, 'Bad input', 'The body must be a JSON object.');
}

const isText = (value: unknown, like: RegExp): value is string => typeof value === 'string' && like.test(value);

const areClaims = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => isText(one, /^.{1,256}$/));

function countOf(field: string, value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxCount) return Number(value);
  throw new Problem(400, 'Bad input', `${field} must be a whole number from 0 to ${maxCount}.`, field);
}

function distanceOf({ advance, to }: Record<string, unknown>, now: number): Distance {
  if (typeof advance === 'string') {
    const ms = parseDuration(advance);
    if (ms !== undefined) return { by: ms };
    throw new Problem(
      400,
      'Bad input',
      'advance must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, for example P3D or PT1H30M.',
      'advance',
    );
  }
  const time = typeof to === 'string' && /^\d{4}-\d\d-\d\dT/.test(to) ? Date.parse(to) : Number.NaN;
  if (Number.isNaN(time))
    throw new Problem(
      400,
      'Bad input',
      'Give {"advance": "P3D"}, {"to": "2026-03-01T08:00:00Z"} or {"stop": true}.',
      'to',
    );
  if (time < now)
    throw new Problem(400, 'Bad input', `The clock moves forward only; it is ${new Date(now).toISOString()}.`, 'to');
  return { to: time };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidFault) return new Problem(400, 'Bad input', error.message, error.field);
  if (error instanceof MoveUnderWay) return new Problem(409, 'The clock is moving', error.message);
  if (error instanceof RangeError) return new Problem(400, 'Bad input', error.message);
  if (error instanceof BodyTooLarge) return new Problem(413, 'Too large', error.message);
  return new Problem(500, 'Internal failure', error instanceof Error ? error.message : 'Unknown failure');
}

function sendProblem(response: ServerResponse, { status, title, message, field }: Problem): void {
  const errors = field ? { errors: [{ path: field, message }] } : {};
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: message, ...errors });
  send(response, status, body, { 'content-type': 'application/problem+json' });
}
