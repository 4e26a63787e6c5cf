import { types } from 'node:util';
import { clip } from './clip';
import { ConfigurationError } from './errors';

/**
 * Returns what code threw as an error whose fields can be read. JavaScript can throw anything: a text, nothing, an object of a library, an
 * error whose message is computed and fails. What it was is told in the message.
 */
export function asError(thrown: unknown): Error {
  if (isError(thrown) && fields.every((field) => canRead(thrown, field)) && hasWords(thrown)) return thrown;
  if (typeof thrown !== 'object' || thrown === null) return new Error(wordsOf(thrown));
  const read = (field: keyof Failure) => (canRead(thrown, field) ? (thrown as Failure)[field] : undefined);
  const [name, message, stack] = [read('name'), read('message'), read('stack')];
  const words = typeof message === 'string' ? message : wordsOf(isError(thrown) ? message : thrown);
  const error = new Error(
    isError(thrown) && message === undefined ? 'An error was thrown whose message cannot be read.' : words,
  );
  // By these, an error of an SDK or the system is recognized.
  const told = { cause: read('cause'), code: read('code'), $metadata: read('$metadata') };
  const known = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  return Object.assign(error, known, typeof name === 'string' && { name }, typeof stack === 'string' && { stack });
}

/**
 * Checks what an author's function answers while a step is made, which waits for nothing. The rejection of a promise would end the process.
 *
 * @throws ConfigurationError naming the function.
 */
export function answered<Answer>(
  field: string,
  answer: Answer,
  fits: (answer: unknown) => boolean,
  words: string,
): Answer {
  if (types.isPromise(answer)) answer.catch(() => undefined);
  else if (fits(answer)) return answer;
  throw new ConfigurationError(`"${field}" must return ${words}${types.isPromise(answer) ? ', and at once' : ''}.`);
}

interface Failure extends Error {
  code?: unknown;
  $metadata?: unknown;
}

const fields = ['name', 'message', 'stack', 'cause', 'code', '$metadata'] as const;

const isError = (thrown: unknown): thrown is Error => {
  try {
    return types.isNativeError(thrown) || thrown instanceof Error;
  } catch {
    return false;
  }
};

const hasWords = ({ name, message }: Error): boolean => typeof name === 'string' && typeof message === 'string';

function canRead(thrown: object, field: keyof Failure): boolean {
  try {
    void (thrown as Failure)[field];
    return true;
  } catch {
    return false;
  }
}

function wordsOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown.trim() ? thrown : 'An empty text was thrown, which is no error.';
  const what =
    typeof thrown === 'object' && thrown !== null ? `An object was thrown: ${jsonOf(thrown)}` : shown(thrown);
  return clip(what, { characters: 500 }, '…');
}

const shown = (thrown: unknown): string =>
  `${typeof thrown === 'function' ? 'A function' : String(thrown)} was thrown, which is no error.`;

function jsonOf(thrown: object): string {
  try {
    return JSON.stringify(thrown) ?? 'it is not JSON.';
  } catch {
    return 'it is not JSON.';
  }
}
