import { useEffect, useEffectEvent } from 'react';
import { newAddress } from '../hooks/use-place';
import { takesKeys } from '../inbox/shortcuts';
import { showDialog } from './page-dialog';
import { pageActionOf } from './page-keys';

/** Does what the keys of the page ask for. */
export function usePageKeys({ find, chosen }: { find: () => void; chosen: () => void }): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = pageActionOf(event);
    if (!action || action === 'inspect') return;
    const isBusy = document.querySelector('dialog[open], [role=menu]') !== null;
    if (action === 'keys' && (isBusy || takesKeys(event.target instanceof Element ? event.target : null))) return;
    // The browser has other uses for these keys.
    event.preventDefault();
    if (action === 'find') return find();
    if (isBusy) return;
    if (action === 'begin') {
      location.hash = newAddress;
      chosen();
    } else showDialog({ is: action });
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
