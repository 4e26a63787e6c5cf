import { clsx } from 'clsx';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { notify } from '../state/vigil-state';

export interface CopyButtonProps {
  /** The label that names what is copied, for example "Copy code". */
  label: string;
  /** Returns the text, and HTML for programs that paste it. Called when the button is pressed. */
  content: () => { text: string; html?: string };
  className?: string;
}

const shownMs = 2_000;

export function CopyButton({ label, content, className }: CopyButtonProps) {
  const { store } = useVigil();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await write(content());
      setCopied(true);
    } catch {
      notify(store, t('Not copied: the browser does not allow it. Select the text and copy it yourself.'));
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => void copy()}
        className={clsx(
          'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-line/60 hover:text-ink',
          className,
        )}
      >
        <Icon aria-hidden className="size-3.5" />
      </button>
      <span role="status" className="sr-only">
        {copied ? t('Copied') : ''}
      </span>
    </>
  );
}

async function write({ text, html }: { text: string; html?: string }): Promise<void> {
  if (html === undefined) return navigator.clipboard.writeText(text);
  const item = (type: string, content: string) => ({ [type]: new Blob([content], { type }) });
  await navigator.clipboard.write([new ClipboardItem({ ...item('text/plain', text), ...item('text/html', html) })]);
}
