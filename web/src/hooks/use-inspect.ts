import { useClient, useFeed } from 'vigil-client/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** The user’s choice, kept in this browser. */
const key = 'vigil.inspect';
const chosen = createStore(() => ({ inspects: localStorage.getItem(key) !== 'no' }));

export function setInspect(inspects: boolean): void {
  localStorage.setItem(key, inspects ? 'yes' : 'no');
  chosen.setState({ inspects });
}

export interface Inspect {
  /** Whether the user is a developer, who may see how an agent works. Undefined before that is known. */
  may: boolean | undefined;
  /** Whether the page shows it: names of tools and states, arguments as JSON, what AWS costs. */
  inspects: boolean;
}

/** Returns the level of the page: a developer’s while “Inspect” is on, otherwise a user’s. */
export function useInspect(): Inspect {
  const { home } = useClient();
  const may = useFeed(home, ({ status, isDeveloper = status === 'loading' ? undefined : false }) => isDeveloper);
  const { inspects } = useStore(chosen);
  return { may, inspects: may === true && inspects };
}
