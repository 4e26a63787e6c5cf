import { clsx } from 'clsx';
import { Paperclip } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import type { Vigil } from '../state/vigil';
import { notify } from '../state/vigil-state';

/** The look of the icons in the message field and in the rows of files. */
export const smallButton =
  'inline-grid shrink-0 place-items-center rounded-lg text-muted transition-colors hover:bg-line/60 hover:text-ink disabled:opacity-45';

interface AttachProps {
  place: string;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Takes files: picked, pasted, or dropped anywhere on the page. A phone offers its camera and its pictures. */
export function Attach({ place, field }: AttachProps) {
  const vigil = useVigil();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const add = (files: File[]) => void addFiles(vigil, place, files);
    const control = new AbortController();
    takeDropped({ vigil, field, add, over: setOver }, control.signal);
    takePasted({ field, add }, control.signal);
    return () => control.abort();
  }, [vigil, place, field]);
  return (
    <>
      <button
        type="button"
        onClick={() => input.current?.click()}
        aria-label={t('Attach files')}
        title={t('Attach files. You can also paste them, or drop them on the page')}
        className={clsx(smallButton, 'size-8 [@media(hover:none)]:size-11')}
      >
        <Paperclip aria-hidden className="size-4" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          void addFiles(vigil, place, [...(target.files ?? [])]);
          // The same file can be picked again.
          target.value = '';
        }}
      />
      {isOver && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-2 z-30 grid place-items-center rounded-2xl border-2 border-accent border-dashed bg-page/85"
        >
          <p className="flex items-center gap-2 font-medium text-accent">
            <Paperclip className="size-5" /> {t('Drop files to attach them')}
          </p>
        </div>
      )}
    </>
  );
}

async function addFiles(vigil: Vigil, place: string, files: File[]): Promise<void> {
  if (files.length === 0) return;
  try {
    const { uploadsOf } = await import('./uploads');
    uploadsOf(vigil).add(place, files);
  } catch {
    notify(vigil.store, t('The files were not attached, because a part of the page could not be loaded. Try again.'));
  }
}

/** A dialog keeps what is its own. */
const isElsewhere = (): boolean => document.querySelector('dialog[open]') !== null;

interface Taking extends Pick<AttachProps, 'field'> {
  add: (files: File[]) => void;
}

function takeDropped(
  { vigil, field, add, over }: Taking & { vigil: Vigil; over: (isOver: boolean) => void },
  signal: AbortSignal,
): void {
  /** The elements under the pointer that were entered and not left. */
  let within = 0;
  function entered(data: DataTransfer | null, by: 1 | -1): void {
    if (!hasFiles(data)) return;
    within = Math.max(0, within + by);
    over(within > 0 && !isElsewhere());
  }
  addEventListener('dragenter', ({ dataTransfer }) => entered(dataTransfer, 1), { signal });
  addEventListener('dragleave', ({ dataTransfer }) => entered(dataTransfer, -1), { signal });
  addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event.dataTransfer)) return;
      // Otherwise the browser would leave the page for the file.
      event.preventDefault();
      event.dataTransfer.dropEffect = isElsewhere() ? 'none' : 'copy';
    },
    { signal },
  );
  addEventListener(
    'drop',
    (event) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      within = 0;
      over(false);
      if (isElsewhere()) return;
      const { files, folders } = droppedIn(event.dataTransfer);
      if (folders > 0) notify(vigil.store, t('A folder cannot be attached. Drop the files in it.'));
      add(files);
      field.current?.focus();
    },
    { signal },
  );
}

function takePasted({ field, add }: Taking, signal: AbortSignal): void {
  addEventListener(
    'paste',
    (event) => {
      const { clipboardData, target } = event;
      const isOfOthers = target instanceof Element && target !== field.current && target.closest('input, textarea');
      if (!clipboardData || isElsewhere() || isOfOthers) return;
      // Office programs add a picture of the text that is copied.
      const { types, files } = clipboardData;
      if (files.length === 0 || (types.includes('text/plain') && types.includes('text/html'))) return;
      event.preventDefault();
      add([...files]);
    },
    { signal },
  );
}

const hasFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') === true;

function droppedIn(data: DataTransfer): { files: File[]; folders: number } {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  return { files, folders: items.filter(isFolder).length };
}
