import type { Context } from 'aws-lambda';
import { type LogFields, logged } from './log';
import { plainError } from './plain-error';

/**
 * Returns the handler of a state's function. The execution's history gets no stack and no cause of an error: both may quote a task token
 * or a person.
 *
 * @param input parses the state's input.
 * @param about returns fields for the log of a failure.
 */
export const serveState = <Input, Output>(
  input: { parse(event: unknown): Input },
  work: (input: Input, context: Context) => Promise<Output>,
  about: (input: Input) => LogFields | Promise<LogFields> = () => ({}),
) =>
  logged(async (event: unknown, context: Context): Promise<Output> => {
    const parsed = input.parse(event);
    try {
      return await work(parsed, context);
    } catch (error) {
      throw plainError(error, await about(parsed));
    }
  });
