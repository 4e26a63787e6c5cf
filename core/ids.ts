import { randomUUID } from 'node:crypto';

/** Opaque, unguessable, and short enough for an execution's name (80 characters, with the segment's number). */
const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

export const newConversationId = (): string => newId('c');
export const newRunId = (): string => newId('r');
/** Of one invocation of CallModel, so that a late one cannot write where its successor does. */
export const newWriterId = (): string => newId('w');
