import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';

export interface DialogProps {
  label: string;
  close: () => void;
  children: ReactNode;
  className?: string;
}

/** The browser's own modal dialog: it keeps the focus, closes on Escape and gives the focus back. Rendered while it is open. */
export function Dialog({ label, close, children, className }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already; a click beside it is for the mouse.
    <dialog
      ref={element}
      aria-label={label}
      onClose={close}
      onClick={({ target }) => target === element.current && close()}
      className={clsx(
        'm-auto animate-appear rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl',
        className,
      )}
    >
      {children}
    </dialog>
  );
}
