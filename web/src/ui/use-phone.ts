import { useSyncExternalStore } from 'react';

/** From the breakpoint `sm` on, more than one part of the page fits. */
const roomy = matchMedia('(width >= 44rem)');

function onChange(changed: () => void): () => void {
  roomy.addEventListener('change', changed);
  return () => roomy.removeEventListener('change', changed);
}

/** Whether only one part of the page fits. */
export const usePhone = (): boolean => useSyncExternalStore(onChange, () => !roomy.matches);
