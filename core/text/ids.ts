import { randomUUID } from 'node:crypto';

/** Opaque, unguessable, and short enough for an execution's name (80 characters, with the segment's number). */
const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

export const newConversationId = (): string => newId('c');
/** Runs sort by their number, and so do their calls: what one run did comes before what the next did. */
export const newRunId = (number: number): string =>
  `${runPrefix(number)}${randomUUID().replaceAll('-', '').slice(0, 25)}`;
export const runPrefix = (number: number): string => `r_${String(number).padStart(6, '0')}_`;
/** Of one invocation of CallModel, so that a late one cannot write where its successor does. */
export const newWriterId = (): string => newId('w');
