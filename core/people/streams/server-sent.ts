/**
 * One event of a stream, as the HTML standard's section on server-sent events defines it. The data is JSON, which has no line breaks
 * outside of escapes, so no text can end an event or begin another one.
 */
export interface ServerSent {
  event?: 'row' | 'rest';
  data: object;
}

/**
 * Returns the body of an answer. Its last event has the position: a client that loses the connection before has none of it, and asks
 * for all of it again.
 */
export function bodyOf(events: readonly ServerSent[], position: string, retryMs: number): string {
  const last = events.length - 1;
  const texts = events.map(({ event, data }, at) =>
    [
      ...(event ? [`event: ${event}`] : []),
      `data: ${JSON.stringify(data)}`,
      ...(at === last ? [`id: ${position}`] : []),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  return [`retry: ${retryMs}\n`, ...texts].map((text) => `${text}\n`).join('');
}
