import { createContext, use, useMemo } from 'react';
import type { PeopleState } from 'vigil-client/shared';
import { type Shown, useVigil } from '../hooks/use-vigil';
import { type People, peopleOf } from './who';

const PeopleContext = createContext<People | undefined>(undefined);
export const PeopleProvider = PeopleContext.Provider;

/** Returns the people of the conversation around; undefined where there is none. */
export const usePeople = (): People | undefined => use(PeopleContext);

/** Whether the reader of the conversation around is at least a member. Everywhere else, they are its owner. */
export const useMayWrite = (): boolean => usePeople()?.role !== 'watcher';
/** Whether the reader owns the conversation around. */
export const useOwns = (): boolean => (usePeople()?.role ?? 'owner') === 'owner';

/** Returns the people of a conversation: the same object until one of them changes. */
export function usePeopleOf(conversation: Shown | undefined, { reads }: PeopleState): People {
  const { me, session } = useVigil();
  const names = JSON.stringify([...reads.values()].map(({ user, name }) => [user, name]));
  const { owner, members, offeredTo, role, takenBy } = conversation ?? {};
  const listed = JSON.stringify([members, takenBy]);
  // Each push has new objects of the same people.
  return useMemo(
    () => peopleOf({ owner, members, offeredTo, role, takenBy }, reads, { user: me.user, name: session.user }),
    [owner, listed, offeredTo, role, names, me.user, session.user],
  );
}
