import * as z from 'zod';
import { key } from '../../core/conversations/rows/keys';
import type { NamedKind } from '../../core/conversations/rows/kinds';
import { uses } from './uses';

/** A schedule that the code declares, as it was last applied for a user. */
export const DeclaredSchedule = z.object({
  version: z.number().int(),
  agent: z.string(),
  name: z.string(),
  user: z.string(),
  /** The digest of what is declared. */
  digest: z.string(),
  conversationId: z.string(),
  /** How often the code has declared it again after it was removed, from 1. */
  generation: z.number().int(),
  /** The code declares it no longer. */
  removed: z.literal(true).optional(),
});
export type DeclaredSchedule = z.infer<typeof DeclaredSchedule>;

/** The beginning of the sort keys, in Vigil's own partition. */
export const prefix = 'SCHEDULE#';
export const scheduleKey = ({ agent, name, user }: Pick<DeclaredSchedule, 'agent' | 'name' | 'user'>): string =>
  `${prefix}${agent}#${name}#${user}`;

export const scheduleRows: NamedKind = {
  name: 'schedule',
  prefix,
  partition: key.own,
  about: 'a schedule that the code declares, for one user: its conversation and timer',
  schema: DeclaredSchedule,
  words: false,
  expires: 'never',
  uses,
};
