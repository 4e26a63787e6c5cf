import { useEffect } from 'react';
import { useVigil } from './use-vigil';

/** Keeps what the home shows up to date while it is on the screen. */
export function useHome(): void {
  const { home } = useVigil();
  useEffect(() => {
    home.shown(true);
    return () => home.shown(false);
  }, [home]);
}
