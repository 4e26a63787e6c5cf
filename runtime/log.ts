import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { Context } from 'aws-lambda';

/** The fields of a log line, which is a JSON object. Only ids, counts, names and times: never keys, task tokens or people's messages. */
export type LogFields = Record<string, string | number | boolean | undefined>;
type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

/** The fields that all lines of the current event have in common. */
const ofEvent = new AsyncLocalStorage<LogFields>();

/**
 * Lines go to the standard output and not through `console`, in which Lambda wraps them: CloudWatch finds the fields, and metrics, only
 * at the root of a line.
 */
export const output = { write: (text: string): unknown => process.stdout.write(`${text}\n`) };

function line(level: Level, message: string, fields: LogFields, rest: object = {}): void {
  const timestamp = new Date().toISOString();
  output.write(JSON.stringify({ level, message, timestamp, ...ofEvent.getStore(), ...fields, ...rest }));
}

export const log = {
  /** `rest` has what is no plain field: CloudWatch's description of metrics. */
  info: (message: string, fields: LogFields = {}, rest?: object) => line('INFO', message, fields, rest),
  warn: (message: string, fields: LogFields = {}, rest?: object) => line('WARN', message, fields, rest),
  error: (message: string, fields: LogFields = {}) => line('ERROR', message, fields),
};

/** Gives each line that `work` logs these fields as well. */
export const withFields = <Result>(fields: LogFields, work: () => Result): Result =>
  ofEvent.run({ ...ofEvent.getStore(), ...fields }, work);

/** Gives the lines that follow in the same event these fields as well. */
export function addFields(fields: LogFields): void {
  Object.assign(ofEvent.getStore() ?? {}, fields);
}

/** Wraps a function's handler: each line has Lambda's id of the request, and the ids that are fields of the event. */
export const logged =
  <Event, Result>(handler: (event: Event, context: Context) => Promise<Result>) =>
  (event: Event, context?: Context): Promise<Result> =>
    withFields({ requestId: context?.awsRequestId, ...idsIn(event) }, () => handler(event, context!));

/** Lets a callback that runs outside of the event, such as one about an uncaught exception, log with the event's fields. */
export const withFieldsOfEvent = <Args extends unknown[], Result>(work: (...args: Args) => Result) =>
  AsyncLocalStorage.bind(work);

const ids = ['conversationId', 'runId', 'segment', 'step', 'callId', 'timerId', 'attempt'] as const;

function idsIn(event: unknown): LogFields {
  const of = (event ?? {}) as Record<string, unknown>;
  const isId = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  return Object.fromEntries(ids.filter((id) => isId(of[id])).map((id) => [id, of[id] as string | number]));
}

const levels = { debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const;

/** Makes lines with the event's fields of what a tool's author prints with `console`, in Lambda. */
export function adoptConsole(): void {
  if (!process.env.AWS_LAMBDA_FUNCTION_NAME) return;
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, Level][])
    console[method] = (...printed: unknown[]) => line(level, format(...printed), {});
}
