import { randomUUID } from 'node:crypto';

/** Returns an opaque, unguessable id. It fits into an execution's name, which has at most 80 characters. */
const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

export const newConversationId = (): string => newId('c');
/** Ids of runs sort by number, and so do the ids of their calls. */
export const newRunId = (number: number): string =>
  `${runPrefix(number)}${randomUUID().replaceAll('-', '').slice(0, 25)}`;
export const runPrefix = (number: number): string => `r_${String(number).padStart(6, '0')}_`;
/** Identifies one invocation of CallModel, so a stale one cannot write to its successor's message. */
export const newWriterId = (): string => newId('w');
