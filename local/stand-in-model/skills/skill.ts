import type { Turn } from '../turn';

/** What the model says next: text, calls, or both. */
export interface Saying {
  text?: string;
  calls?: { name: string; arguments: object }[];
}

/** One thing that the stand-in can play. */
export interface Skill {
  /** What it lets people do, as in "I can …". Absent when it is nothing to offer. */
  offers?: string;
  /** A sentence to try. */
  example?: string;
  /** The tools that the agent must have for it. */
  needs: string[];
  /** Nothing when the turn is none of its business. */
  answer(turn: Turn): Saying | undefined;
}

export const hasTools = (skill: Skill, turn: Turn): boolean => skill.needs.every((tool) => turn.tools.includes(tool));
