import type { Turn } from '../turn';
import { abilities } from './abilities';
import { bank } from './bank';
import { clock } from './clock';
import { courtesies } from './courtesies';
import { recurring } from './recurring';
import { reminders } from './reminders';
import { hasTools, type Saying, type Skill } from './skill';
import { handBack, team } from './team';
import { travel } from './travel';

/** To teach the stand-in another agent, write its skill in a file and put it here: the first that has an answer gives it. */
const plays: Skill[] = [...team, recurring, reminders, clock, travel, ...bank];
const skills: Skill[] = [...plays, handBack, courtesies, abilities(plays)];

export function answer(turn: Turn): Saying {
  for (const skill of skills) {
    const saying = hasTools(skill, turn) ? skill.answer(turn) : undefined;
    if (saying) return saying;
  }
  return { text: 'I am the stand-in model, and I have no rule for that.' };
}
