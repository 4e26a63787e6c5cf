/** The fields of a log line, which is a JSON object. Only ids, counts, names and times: never keys, task tokens or people's messages. */
export type LogFields = Record<string, string | number | boolean | undefined>;

function line(level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: LogFields): void {
  const print = level === 'ERROR' ? console.error : level === 'WARN' ? console.warn : console.info;
  print(JSON.stringify({ level, message, timestamp: new Date().toISOString(), ...fields }));
}

export const log = {
  info: (message: string, fields: LogFields = {}) => line('INFO', message, fields),
  warn: (message: string, fields: LogFields = {}) => line('WARN', message, fields),
  error: (message: string, fields: LogFields = {}) => line('ERROR', message, fields),
};
