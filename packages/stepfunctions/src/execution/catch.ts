import { covers, type Failure } from '../language/errors';
import type { JsonObject } from '../language/json';
import type { ErrorOutput, RuleOutput } from './data-flow';

/** Section "Fallback states". */
export interface Catcher {
  readonly errorEquals: readonly string[];
  readonly next: string;
  readonly output: RuleOutput;
}

export function compileCatchers(
  list: JsonObject[] | undefined,
  rule: (fields: JsonObject, at: string) => RuleOutput,
): Catcher[] {
  return (list ?? []).map((fields, i) => ({
    errorEquals: fields.ErrorEquals as string[],
    next: fields.Next as string,
    output: rule(fields, `Catch[${i}]`),
  }));
}

export const findCatcher = (catchers: readonly Catcher[], failure: Failure): Catcher | undefined =>
  catchers.find(({ errorEquals }) => covers(errorEquals, failure));

/** AWS hands on an empty cause after a timeout, and null where a task gave neither. */
export const errorOutput = ({ error, cause }: Failure): ErrorOutput => ({
  Error: error ?? null,
  Cause: cause ?? (error === undefined ? null : ''),
});
