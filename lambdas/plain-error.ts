import { isOwnError } from '../core/failure-words';
import { type LogFields, log } from './log';

const messageCharacters = 400;

/** What may be said of an error outside the function, in an execution's history or a run's reason: any other's may quote anything. */
export function publicWords(error: unknown): string {
  const own = (error ?? {}) as Partial<Error>;
  if (isOwnError(own)) return String(own.message).slice(0, messageCharacters);
  return `The platform failed (${nameOf(error)}); the function's log says more.`;
}

/**
 * An error as it may enter the execution's history: its name for `ErrorEquals`, words for people, no stack and no cause.
 * Where it came from goes to the function's log.
 *
 * @param as the name and the words that the state machine gets instead of the error's own.
 */
export function plainError(
  error: unknown,
  fields: LogFields,
  as: { name: string; words: string } = { name: nameOf(error), words: publicWords(error) },
): Error {
  log.error('failed', { ...fields, error: nameOf(error), ...originOf(error) });
  const plain = new Error(as.words);
  plain.name = as.name;
  plain.stack = `${as.name}: see the log`;
  return plain;
}

/** Where an error came from, without its message. */
export function originOf(error: unknown): LogFields {
  const { cause, stack, message } = (error ?? {}) as { cause?: unknown; stack?: unknown; message?: unknown };
  const { status, code } = (cause ?? {}) as { status?: unknown; code?: unknown };
  const frames = String(stack ?? '')
    .replace(String(message || '\n'), '\n')
    .split('\n')
    // A message that the engine wrote there before it was changed may have lines that begin with "at".
    .filter((line) => /^ {4}at .*(:\d+:\d+\)?|\((native|<anonymous>|index \d+)\))$/.test(line))
    .slice(0, 6)
    .map((line) => line.trim())
    .join(' ')
    .slice(0, 800);
  return {
    cause: cause === undefined ? undefined : nameOf(cause),
    causeStatus: typeof status === 'number' ? status : undefined,
    causeCode: typeof code === 'number' ? code : identifier(code),
    frames,
  };
}

const nameOf = (error: unknown): string => identifier((error as Partial<Error> | null | undefined)?.name) ?? 'Error';

/** A name is a name, and no place to put words. */
const identifier = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_$][\w.$]{0,79}$/.test(value) ? value : undefined;
