import { output } from '../../runtime/log';

export type LoggedLine = Record<string, unknown> & { level: string; message: string };

/** Keeps the log out of the test's output. Returns its lines, which grow. */
export function loggedLines(): LoggedLine[] {
  const lines: LoggedLine[] = [];
  jest.spyOn(output, 'write').mockImplementation((text) => void lines.push(JSON.parse(text) as LoggedLine));
  return lines;
}
