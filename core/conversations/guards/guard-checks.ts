import {
  callable,
  checkOptions,
  fields,
  isKebabCase,
  isPlain,
  kebabWords,
  listOf,
  number,
  oneOf,
  optional,
  type Rule,
  text,
} from '../../base/schemas/definition';
import { guardPlaces } from '../../base/schemas/guard-verdict';
import { ConfigurationError } from '../../base/text/errors';
import { mistakeInNeeds } from '../agent/tool-checks';
import type { Guard, GuardNeeds } from './guard';

const rules = fields<Guard>({
  name: text,
  at: listOf(oneOf(...guardPlaces)),
  needs: optional(
    fields<GuardNeeds>({
      secrets: optional(listOf(text)),
      variables: optional(listOf(text)),
      optional: optional(listOf(text)),
    }),
  ),
  media: oneOf('pass', 'withhold'),
  timeoutSeconds: number,
  check: callable,
});

/** A guard among an agent's fields. */
export const aGuard: Rule = (value, at) =>
  isPlain(value) && typeof value.check === 'function' && Array.isArray(value.at)
    ? undefined
    : [at, 'must be what defineGuard returns'];

/** @throws ConfigurationError naming the guard and the field. */
export function checkedGuard(guard: Guard): Guard {
  const whose = `guard ${guard?.name ?? 'without a name'}`;
  const refuse = (field: string, problem: string): never => {
    throw new ConfigurationError(`${whose}: ${field}: ${problem}`);
  };
  checkOptions(whose, guard, rules);
  const { name, at, needs, timeoutSeconds } = guard;
  if (!isKebabCase(name)) refuse('name', kebabWords);
  if (at.length === 0) refuse('at', `name at least one place: ${guardPlaces.join(', ')}`);
  if (new Set(at).size < at.length) refuse('at', 'a place is listed twice');
  if (!Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > 60)
    refuse('timeoutSeconds', 'must be a whole number from 1 to 60');
  const wrong = needs && mistakeInNeeds(needs);
  if (wrong) refuse(...wrong);
  return guard;
}
