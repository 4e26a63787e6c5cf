import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/**
 * Shows the possible actions on a message in a separate line below it: on hover and focus, and always
 * on the last message and on touch devices.
 *
 * @param isShown whether they are shown always, because one of them says something.
 */
export function MessageActions({ children, isShown }: { children: ReactNode; isShown?: boolean }) {
  return (
    <div
      className={clsx(
        'flex min-h-7 flex-wrap items-center gap-0.5 transition-opacity focus-within:opacity-100',
        !isShown && 'opacity-0',
        'group-last/item:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100',
      )}
    >
      {children}
    </div>
  );
}

/** A button with words among the actions. */
export const wordedAction =
  'inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-muted text-xs hover:bg-line/60 hover:text-ink disabled:opacity-45';
