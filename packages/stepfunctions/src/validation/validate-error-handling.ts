import { isObject, type JsonObject } from '../language/json';
import { type Checking, checkRequired } from './validate';
import { checkBounds, ofRetrier } from './validate-numbers';
import { checkText } from './validate-types';

const retriable = new Set(['Task', 'Parallel', 'Map']);

/** Checks Retry and Catch: section "Errors". */
export function checkErrorHandling({ report }: Checking, state: JsonObject, at: string): void {
  for (const list of ['Retry', 'Catch'] as const) {
    const rules = state[list];
    // Elsewhere the field itself is refused.
    if (rules === undefined || !retriable.has(String(state.Type))) continue;
    if (!Array.isArray(rules)) report('Expected value of type [ARRAY]', `${at}/${list}`);
    else {
      for (const [i, rule] of rules.entries()) {
        const path = `${at}/${list}[${i}]`;
        if (!isObject(rule)) report('Expected value of type [OBJECT]', path);
        else {
          checkErrorEquals(report, rule, path, i === rules.length - 1);
          if (list === 'Catch') checkCatcher(report, rule, path);
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

function checkCatcher(report: Checking['report'], rule: JsonObject, at: string): void {
  checkRequired(report, rule, ['Next'], at);
  checkText(report, rule, 'Next', at);
  if (rule.ResultPath !== null) checkText(report, rule, 'ResultPath', at);
}

function checkRetrier(report: Checking['report'], rule: JsonObject, at: string): void {
  checkBounds(report, rule, ofRetrier, at);
  const { JitterStrategy, MaxDelaySeconds, IntervalSeconds } = rule;
  if (JitterStrategy !== undefined && JitterStrategy !== 'FULL' && JitterStrategy !== 'NONE')
    report('Value should be one of the following: [FULL, NONE]', `${at}/JitterStrategy`);
  if (typeof MaxDelaySeconds === 'number' && MaxDelaySeconds <= ((IntervalSeconds as number | undefined) ?? 1)) {
    report('MaxDelaySeconds must be greater than IntervalSeconds', `${at}/MaxDelaySeconds`);
  }
}
