import type { JsonObject } from './json';
import type { Checking } from './validate';

/** Least and most of the numbers that states have. A string is an expression, checked elsewhere. */
const bounds: Record<string, { least: number; most: number; integer: boolean }> = {
  Seconds: { least: 0, most: 99_999_999, integer: true },
  TimeoutSeconds: { least: 1, most: 99_999_999, integer: true },
  HeartbeatSeconds: { least: 1, most: 99_999_999, integer: true },
  MaxConcurrency: { least: 0, most: Number.POSITIVE_INFINITY, integer: true },
  ToleratedFailureCount: { least: 0, most: Number.POSITIVE_INFINITY, integer: true },
  ToleratedFailurePercentage: { least: 0, most: 100, integer: false },
};

/** Fields of which only one can be given. */
const alternatives = [
  'TimeoutSeconds',
  'HeartbeatSeconds',
  'MaxConcurrency',
  'ToleratedFailureCount',
  'ToleratedFailurePercentage',
];

export function checkNumbers({ report }: Checking, state: JsonObject, at: string): void {
  for (const [field, { least, most, integer }] of Object.entries(bounds)) {
    const value = state[field];
    if (value === undefined || typeof value === 'string') continue;
    if (typeof value !== 'number' || (integer && !Number.isInteger(value)))
      report(`Value is not of type ${integer ? 'integer' : 'number'}`, `${at}/${field}`);
    else if (value < least) report(`Value is less than minimum of ${least}`, `${at}/${field}`);
    else if (value > most) report(`Value is greater than maximum of ${most}`, `${at}/${field}`);
  }
  for (const field of alternatives) {
    if (state[field] === undefined || state[`${field}Path`] === undefined) continue;
    report(`These fields cannot be used together: '${field}', '${field}Path'`, at);
  }
  const { TimeoutSeconds, HeartbeatSeconds } = state;
  if (
    typeof TimeoutSeconds === 'number' &&
    typeof HeartbeatSeconds === 'number' &&
    HeartbeatSeconds >= TimeoutSeconds
  ) {
    report('HeartbeatSeconds must be smaller than TimeoutSeconds', `${at}/HeartbeatSeconds`);
  }
}
