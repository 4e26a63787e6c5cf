import { run } from '../../test/single-state-fixture';
import type { Json, JsonObject } from '../language/json';

const input = { list: [1], empty: [], x: null };

/** The output of a choice by one rule: `yes` where it matches. */
async function choose(rule: JsonObject): Promise<Json | undefined> {
  const result = (value: string) => ({ Type: 'Pass', Result: value, End: true });
  const { outcome } = await run(
    { C: { Type: 'Choice', Choices: [{ ...rule, Next: 'Y' }], Default: 'N' }, Y: result('yes'), N: result('no') },
    input,
  );
  return outcome?.error ?? (JSON.parse(outcome!.output!) as Json);
}

test.each([
  ['$.x', 'yes'],
  ['$.none', 'no'],
  ['$.list[0]', 'yes'],
  ['$.empty[0]', 'no'],
  ['$.empty[*]', 'yes'],
  ['$.none[*]', 'no'],
  ['$variable.x', 'no'],
])('IsPresent, of %s: %s', async (path, found) => {
  expect(await choose({ Variable: path, IsPresent: true })).toBe(found);
  expect(await choose({ Variable: path, IsPresent: false })).toBe(found === 'yes' ? 'no' : 'yes');
});

test.each([
  ['a variable', { Variable: '$.none', StringEquals: 'a' }],
  ['a variable under Not', { Not: { Variable: '$.none', StringEquals: 'a' } }],
  ['an expected value', { Variable: '$.x', StringEqualsPath: '$.none' }],
  ['a wildcard', { Variable: '$.none[*]', StringEquals: 'a' }],
])('%s that is not there fails the execution', async (_what, rule) => {
  expect(await choose(rule)).toBe('States.Runtime');
});
