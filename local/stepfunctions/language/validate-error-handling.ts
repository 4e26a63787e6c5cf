import { isObject, type JsonObject } from './json';
import { type Checking, checkRequired } from './validate';

const retriable = new Set(['Task', 'Parallel', 'Map']);

/** Checks Retry and Catch: section "Errors". */
export function checkErrorHandling({ report }: Checking, state: JsonObject, at: string): void {
  for (const list of ['Retry', 'Catch'] as const) {
    const rules = state[list];
    if (rules === undefined) continue;
    if (!retriable.has(String(state.Type))) report(`Field '${list}' is not supported`, `${at}/${list}`);
    else if (!Array.isArray(rules)) report('Value is not of type array', `${at}/${list}`);
    else {
      for (const [i, rule] of rules.entries()) {
        const path = `${at}/${list}[${i}]`;
        if (!isObject(rule)) report('Value is not of type object', path);
        else {
          checkErrorEquals(report, rule, path, i === rules.length - 1);
          if (list === 'Catch') checkRequired(report, rule, ['Next'], path);
          if (list === 'Retry') checkRetrier(report, rule, path);
        }
      }
    }
  }
}

/** "States.ALL … must appear alone … and must appear in the last" */
function checkErrorEquals(report: Checking['report'], { ErrorEquals }: JsonObject, at: string, last: boolean): void {
  if (ErrorEquals === undefined) checkRequired(report, {}, ['ErrorEquals'], at);
  else if (!Array.isArray(ErrorEquals) || ErrorEquals.length === 0)
    report('Array has fewer items than minimum of 1', `${at}/ErrorEquals`);
  else if (ErrorEquals.includes('States.ALL') && (ErrorEquals.length > 1 || !last)) {
    report('States.ALL can only appear alone, and in the last element', `${at}/ErrorEquals`);
  }
}

/** Least and most of each number of a retrier; the integers among them. */
const retrierNumbers: Record<string, { least: number; most: number; integer: boolean }> = {
  IntervalSeconds: { least: 1, most: 99_999_999, integer: true },
  MaxAttempts: { least: 0, most: 99_999_999, integer: true },
  BackoffRate: { least: 1, most: Number.POSITIVE_INFINITY, integer: false },
  MaxDelaySeconds: { least: 1, most: 31_622_400, integer: true },
};

function checkRetrier(report: Checking['report'], rule: JsonObject, at: string): void {
  for (const [field, { least, most, integer }] of Object.entries(retrierNumbers)) {
    const value = rule[field];
    if (value === undefined) continue;
    if (typeof value !== 'number' || (integer && !Number.isInteger(value)))
      report(`Value is not of type ${integer ? 'integer' : 'number'}`, `${at}/${field}`);
    else if (value < least) report(`Value is less than minimum of ${least}`, `${at}/${field}`);
    else if (value > most) report(`Value is greater than maximum of ${most}`, `${at}/${field}`);
  }
  const { JitterStrategy, MaxDelaySeconds, IntervalSeconds } = rule;
  if (JitterStrategy !== undefined && JitterStrategy !== 'FULL' && JitterStrategy !== 'NONE')
    report('Value is not one of [FULL, NONE]', `${at}/JitterStrategy`);
  if (typeof MaxDelaySeconds === 'number' && MaxDelaySeconds <= ((IntervalSeconds as number | undefined) ?? 1)) {
    report('MaxDelaySeconds must be greater than IntervalSeconds', `${at}/MaxDelaySeconds`);
  }
}
