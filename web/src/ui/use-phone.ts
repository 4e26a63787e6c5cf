import { useSyncExternalStore } from 'react';

/** From the style's `sm` on there is room for more than one part of the page. */
const roomy = matchMedia('(width >= 44rem)');

function onChange(changed: () => void): () => void {
  roomy.addEventListener('change', changed);
  return () => roomy.removeEventListener('change', changed);
}

/** Whether only one part of the page has room. */
export const usePhone = (): boolean => useSyncExternalStore(onChange, () => !roomy.matches);
