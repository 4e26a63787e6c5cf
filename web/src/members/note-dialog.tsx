import { type ReactNode, type RefObject, useState } from 'react';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

interface NoteDialogProps {
  title: string;
  about: string;
  /** The name of the field. It must be filled in. */
  label: string;
  text: string;
  change: (text: string) => void;
  atMost?: number;
  action: string;
  /** @returns why that failed. */
  send: () => Promise<string | undefined>;
  /** Called when it is stored, to discard the draft. */
  sent: () => void;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
  children?: ReactNode;
}

/** A dialog with one text, and what is done with it. */
export function NoteDialog({
  title,
  about,
  label,
  text,
  change,
  atMost,
  action,
  send,
  sent,
  ...dialog
}: NoteDialogProps) {
  const { close, opener, children } = dialog;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    setBusy(true);
    const wrong = await send();
    setBusy(false);
    setProblem(wrong);
    if (wrong) return;
    sent();
    close();
  };
  return (
    <Dialog label={title} close={close} opener={opener} className="w-[28rem] max-w-[calc(100vw-2rem)]">
      <form
        className="flex flex-col gap-3 p-5 pointer-coarse:[&_button]:min-h-11"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && text.trim()) void submit();
        }}
      >
        <h2 className="font-semibold">{title}</h2>
        <p className="text-muted text-sm">{about}</p>
        <label className="flex flex-col gap-1.5 font-medium text-sm">
          {label}
          <textarea
            data-autofocus
            required
            dir="auto"
            rows={4}
            value={text}
            onChange={({ target }) => change(target.value)}
            maxLength={atMost}
            className="field-sizing-content max-h-[40dvh] min-h-24 resize-none rounded-lg border border-line bg-page px-2.5 py-1.5 font-normal outline-none focus:border-accent"
          />
        </label>
        {children}
        {problem && (
          <p role="alert" className="text-bad text-sm [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button look="strong" type="submit" disabled={busy || text.trim() === ''}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
