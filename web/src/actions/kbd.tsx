import type { ReactNode } from 'react';

/** Keys, as they stand on the keyboard. */
export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="whitespace-nowrap rounded-md border border-line bg-side px-1.5 py-0.5 font-sans text-muted text-xs">
    {children}
  </kbd>
);
