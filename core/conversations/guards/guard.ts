// core/conversations/guards: guards, which check what a model reads and writes.

import type { GuardPlace } from '../../base/schemas/guard-verdict';
import type { Needs, Values } from '../agent/tool';
import { checkedGuard } from './guard-checks';

/** The keys and settings of a guard, as those of a tool. */
export type GuardNeeds<
  Secret extends string = string,
  Variable extends string = string,
  MayBeUnset extends string = string,
> = Pick<Needs<Secret, Variable, MayBeUnset>, 'secrets' | 'variables' | 'optional'>;

/** The words pass, others take their place, or they are refused with a reason that people and the model read. */
export type Verdict = 'pass' | { replace: string; reason?: string } | { refuse: string };
/** A person decides about the call, as by the tool's own `approval`. The person reads the words. */
export interface Ask {
  ask: string;
}
/** Only a guard of calls alone may ask: nobody could decide about a text before its run goes on. */
export type VerdictAt<Place extends GuardPlace> = Verdict | ([Place] extends ['call'] ? Ask : never);

/** What a guard knows besides the words. */
export interface Guarded<
  Place extends GuardPlace = GuardPlace,
  Secrets extends Values = Values,
  Variables extends Values = Values,
> {
  at: Place;
  agent: string;
  /** The conversation's owner. */
  user: string;
  conversationId: string;
  /** At `call` and `result`: the tool's name. At `call`, the words are the arguments as JSON, and so is what replaces them. */
  tool?: string;
  /** If the words are a file's: its id and its media type. Its name is their first line, and its text follows. */
  file?: { id: string; mediaType: string };
  /** The values of `needs.secrets`. */
  secrets: Secrets;
  /** The values of `needs.variables`. */
  variables: Variables;
  /** Aborted when the guard's time is over. */
  signal: AbortSignal;
}

/** Checks words at one to four places. See `defineGuard`. */
export interface Guard {
  /** In kebab-case. A stored verdict counts for the guard of this name: with another name, it is another guard. */
  name: string;
  at: readonly GuardPlace[];
  needs?: GuardNeeds;
  /** `withhold`: the models of its agents get no pictures, and of a PDF the text alone. A guard reads text, and cannot check these. */
  media: 'pass' | 'withhold';
  /** The timeout of one check (1 to 60). */
  timeoutSeconds: number;
  // A method, so that guards of fewer places and with typed needs are guards.
  check(words: string, about: Guarded): (Verdict | Ask) | Promise<Verdict | Ask>;
}

/** A guard as its author declares it. */
export interface GuardSpec<
  Place extends GuardPlace,
  Secret extends string,
  Variable extends string,
  MayBeUnset extends Secret | Variable,
> {
  name: string;
  at: readonly Place[];
  needs?: GuardNeeds<Secret, Variable, MayBeUnset>;
  /** Whether the models of its agents get pictures, and PDFs as they look, which no guard can check. `pass` by default. */
  media?: Guard['media'];
  /** 10 by default. */
  timeoutSeconds?: number;
  check(
    words: string,
    about: Guarded<Place, Values<Secret, MayBeUnset>, Values<Variable, MayBeUnset>>,
  ): VerdictAt<Place> | Promise<VerdictAt<Place>>;
}

/**
 * Declares a guard, which agents list in `guards`. It checks messages, replies, calls or results, and lets them pass, replaces their words,
 * refuses them, or, for calls, asks a person.
 *
 * @throws ConfigurationError naming the guard and the field, at build time.
 * @example
 * ```ts
 * import { defineAgent, defineGuard } from 'vigil';
 *
 * const noPrices = defineGuard({
 *   name: 'no-prices',
 *   at: ['output'],
 *   check: (words) => (/\$\d/.test(words) ? { refuse: 'I may not name prices. Please see the price list.' } : 'pass'),
 * });
 * const spec = { purpose: 'Answers visitors.', instructions: 'You answer visitors.', model: 'gpt-6.1-terra', tools: [] };
 * const guide = defineAgent({ ...spec, name: 'guide', guards: [noPrices] });
 * guide.guards?.[0]?.timeoutSeconds; // → 10
 * ```
 */
export function defineGuard<
  Place extends GuardPlace,
  Secret extends string = never,
  Variable extends string = never,
  MayBeUnset extends Secret | Variable = never,
>(spec: GuardSpec<Place, Secret, Variable, MayBeUnset>): Guard {
  return checkedGuard({ ...defaults, ...(spec as unknown as GuardSpec<GuardPlace, string, string, string>) } as Guard);
}

const defaults = { timeoutSeconds: 10, media: 'pass' as const };

/** An agent's guards of a place, in their order. */
export const guardsAt = ({ guards = [] }: { guards?: readonly Guard[] }, place: GuardPlace): Guard[] =>
  guards.filter(({ at }) => at.includes(place));
