import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { t } from '../languages/catalogue';
import { Button } from './button';
import { Receipts } from './receipt';

export interface DialogProps {
  label: string;
  close: () => void;
  /** The element that gets the focus afterwards if the one that had it is gone, such as a menu item. */
  opener?: RefObject<HTMLElement | null>;
  children: ReactNode;
  className?: string;
  /** It opens under a pointer that may press again, so it takes no press at first. */
  isSudden?: boolean;
}

/**
 * The browser's modal dialog, which keeps the focus and closes on Escape. It is rendered only while open. A browser
 * restores the focus when a dialog is closed but not when it is removed, so this component does that.
 */
export function Dialog({ label, close, opener, children, className, isSudden }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const before = useRef<Element>(null);
  useEffect(() => {
    const dialog = element.current;
    before.current ??= document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    // The browser chooses the first element that can have the focus, also one that Tab passes over.
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      const had = before.current;
      const isThere = had instanceof HTMLElement && had.isConnected && had !== document.body;
      (isThere ? had : opener?.current)?.focus();
    };
  }, [opener]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already; a click on the backdrop is for the mouse.
    <dialog
      ref={element}
      aria-label={label}
      data-row={isSudden ? '' : undefined}
      // The browser tells of the end later, and what is pressed meanwhile may open another one.
      onCancel={({ target }) => target === element.current && close()}
      onClose={close}
      onClick={({ target }) => target === element.current && close()}
      className={clsx(
        'm-auto animate-appear rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl',
        className,
      )}
    >
      {children}
      <Receipts />
    </dialog>
  );
}

interface DialogHeadProps {
  title: string;
  about?: string;
  close: () => void;
  /** Gets the focus when a row that had it is gone. */
  heading?: RefObject<HTMLHeadingElement | null>;
}

/** The head of a dialog with rows: what it is about, and the button that closes it. */
export const DialogHead = ({ title, about, close, heading }: DialogHeadProps) => (
  <header className={clsx('flex gap-3 border-line border-b py-3 pr-2.5 pl-5', about ? 'items-start' : 'items-center')}>
    <div className="min-w-0 grow">
      <h2 ref={heading} tabIndex={heading && -1} className="font-semibold outline-none">
        {title}
      </h2>
      {about && <p className="text-muted text-sm">{about}</p>}
    </div>
    <Button look="quiet" icon onClick={close} aria-label={t('Close')}>
      <X aria-hidden className="size-4" />
    </Button>
  </header>
);

interface ListDialogProps extends DialogHeadProps, Pick<DialogProps, 'opener' | 'children' | 'className'> {}

/** A dialog with a head, and content that scrolls below it. */
export const ListDialog = ({ title, about, close, heading, children, ...dialog }: ListDialogProps) => (
  <Dialog label={title} close={close} {...dialog}>
    <div className="flex max-h-[min(44rem,85dvh)] flex-col">
      <DialogHead title={title} about={about} close={close} heading={heading} />
      {children}
    </div>
  </Dialog>
);
