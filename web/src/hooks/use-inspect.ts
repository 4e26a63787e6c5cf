import { useClient, useFeed } from 'vigil-client/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { usePhone } from '../ui/use-phone';

/** The user’s choice, kept in this browser. */
const key = 'vigil.inspect';
const chosen = createStore(() => ({ inspects: localStorage.getItem(key) !== 'no' }));

function setInspect(inspects: boolean): void {
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

export interface PanelPlace {
  panel: boolean;
  togglePanel: () => void;
}

/** Returns the level of the page, and a function that changes it. What it shows first is in the panel. */
export function useInspectToggle({ panel, togglePanel }: PanelPlace): Inspect & { toggle: () => void } {
  const phone = usePhone();
  const level = useInspect();
  const toggle = () => {
    setInspect(!level.inspects);
    if (!level.inspects && !panel && !phone) togglePanel();
  };
  return { ...level, toggle };
}
