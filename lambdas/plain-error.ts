import { type LogFields, log } from './log';

/**
 * An error as it may enter the execution's history: its name for `ErrorEquals`, a short message, no stack and no cause.
 * The whole of it goes to the function's log.
 */
export function plainError(error: unknown, fields: LogFields, messageCharacters = 400): Error {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  log.error('failed', { ...fields, error: name, ...causeOf(error) });
  const plain = new Error(message.slice(0, messageCharacters));
  plain.name = name;
  plain.stack = `${name}: see the log`;
  return plain;
}

/** Where an unexpected error came from, without its message: that may quote what a person said. */
function causeOf(error: unknown): LogFields {
  const { cause, stack } = error as { cause?: { name?: string; status?: number; code?: string }; stack?: string };
  const frames = stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 6)
    .join(' ')
    .slice(0, 800);
  return { cause: cause?.name, causeStatus: cause?.status, causeCode: cause?.code, frames };
}
