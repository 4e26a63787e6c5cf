import type { Conversation, ReadMark } from '../api-types';

/** The people of a conversation, as far as they are several. */
export interface PeopleState {
  /** The users who see it now, the user of the client included. */
  here: readonly string[];
  /** The users who write a message at this moment. */
  typing: readonly string[];
  /** How far each has read it, by user, and the name of each. */
  reads: ReadonlyMap<string, ReadMark>;
}

/** Whether anybody but its owner is in a conversation. Who has asked to be let in is not. */
export const isShared = (members: Conversation['members'], takenBy: Conversation['takenBy']): boolean =>
  takenBy !== undefined || (members ?? []).some(({ asks }) => !asks);

export const nobody: PeopleState = { here: [], typing: [], reads: new Map() };

/** @returns the same if nobody has read more. */
export function mergeReads(reads: PeopleState['reads'], came: readonly ReadMark[]): PeopleState['reads'] {
  const further = came.filter(({ user, seq }) => seq > (reads.get(user)?.seq ?? -1));
  return further.length > 0
    ? new Map([...reads, ...further.map(({ user, seq, name }) => [user, { user, seq, name }] as const)])
    : reads;
}

/** Someone who types says so every three seconds. */
const typingMs = 5_000;
const sayMs = 3_000;

/** Who writes at this moment: each for some seconds after they said so last. */
export function typists(change: (typing: readonly string[]) => void) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let saidAt = Number.NEGATIVE_INFINITY;
  const tell = () => change([...timers.keys()]);
  function forget(user: string): void {
    clearTimeout(timers.get(user));
    if (timers.delete(user)) tell();
  }
  return {
    heard(user: string): void {
      const isNew = !timers.has(user);
      clearTimeout(timers.get(user));
      timers.set(
        user,
        setTimeout(() => forget(user), typingMs),
      );
      if (isNew) tell();
    },
    /** Their message has come. */
    forget,
    clear(): void {
      for (const user of [...timers.keys()]) forget(user);
    },
    /** Says that the user types, unless that was said a moment ago. @param say returns whether it was said. */
    typed(say: () => boolean, now = performance.now()): void {
      if (now - saidAt >= sayMs && say()) saidAt = now;
    },
    /** The message is sent: what is typed next is another one. */
    sent(): void {
      saidAt = Number.NEGATIVE_INFINITY;
    },
  };
}
