import { NotAllowed } from '../../base/text/errors';
import type { Meta } from '../rows/meta';
import { checkRole, notAllowed, type Person, type Role, takerIn, userOf } from './role';

/**
 * Whether a person causes an effect that no tool's name is on.
 *
 * - `allowed`: on the owner's authority, as far as the run has it already.
 * - `asks`: the agents go on, and their calls with effects need an approval, as after a member's words.
 * - `refused`: it is the owner's alone.
 */
export type May = 'allowed' | 'asks' | 'refused';
/** A person, by what they may be: a taker has taken the conversation over, and is no member otherwise. */
export type Causing = Exclude<Role, 'watcher'> | 'taker';

interface Effect {
  /** For people. */
  about: string;
  may: Readonly<Record<Causing, May>>;
}

/** All such effects. docs/members.md has this table. A watcher causes none, and a machine causes what the owner does for whom it acts. */
export const effects = {
  stop: {
    about: 'Stop a run: it says and does nothing more',
    may: { taker: 'allowed', member: 'allowed', owner: 'allowed' },
  },
  undo: {
    about:
      'Undo what a run has done: at a stop, of one that has failed or reached a limit, or after the stop of another person',
    may: { taker: 'refused', member: 'refused', owner: 'allowed' },
  },
  retry: {
    about: 'Continue a run that has failed or reached a limit',
    may: { taker: 'refused', member: 'allowed', owner: 'allowed' },
  },
  retryHeld: {
    about: 'Continue a failed run whose effects are held, instead of undoing them',
    may: { taker: 'refused', member: 'refused', owner: 'allowed' },
  },
  askModel: {
    about: 'Ask a model again that does not answer',
    may: { taker: 'refused', member: 'allowed', owner: 'allowed' },
  },
  wake: {
    about: 'End a wait of the agent before its time',
    may: { taker: 'refused', member: 'asks', owner: 'allowed' },
  },
  fork: {
    about: 'Make a step again, also with another text',
    may: { taker: 'refused', member: 'asks', owner: 'allowed' },
  },
  replace: {
    about: 'Make a step again with another agent, model or other instructions',
    may: { taker: 'refused', member: 'refused', owner: 'allowed' },
  },
} as const satisfies Record<string, Effect>;
export type EffectName = keyof typeof effects;

/**
 * Returns whether a person causes an effect by themselves, or the agents ask the owner afterwards. Every way to it passes here.
 *
 * @throws NotFound, NotAllowed as `checkRole` does, and NotAllowed if it is not theirs to cause.
 */
export function checkEffect(meta: Meta, person: Person, effect: EffectName): Exclude<May, 'refused'> {
  const causing = causingIn(meta, person);
  const may = effects[effect].may[causing];
  if (may !== 'refused') return may;
  throw causing === 'taker' && effect !== 'undo'
    ? new NotAllowed('Give the conversation back first: then its agent goes on.')
    : notAllowed('owner');
}

/** Whether it would not be refused. @throws NotFound, NotAllowed as `checkRole` does. */
export const mayCause = (meta: Meta, person: Person, effect: EffectName): boolean =>
  (effects[effect].may[causingIn(meta, person)] as May) !== 'refused';

/** Who has taken it over is that in the first place, also as one who is a member: the agent waits for them. */
function causingIn(meta: Meta, person: Person): Causing {
  const role = checkRole(meta, person, 'member') as Causing;
  return takerIn(meta)?.user === userOf(person) ? 'taker' : role;
}
