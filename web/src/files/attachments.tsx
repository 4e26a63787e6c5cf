import { clsx } from 'clsx';
import { RotateCw, X } from 'lucide-react';
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { useDraft } from '../hooks/drafts';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { smallButton } from './attach';
import { type DraftFile, filesPlace, noFiles } from './draft-files';
import { FileIcon, Name } from './file-name';
import { filesHeard, seenName, sizeWords } from './file-words';
import { Preview } from './preview';
import { uploadsOf } from './uploads';

interface AttachmentsProps {
  place: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Whether the message is to be sent when the files are uploaded. */
  waits: boolean;
  wait: (waits: boolean) => void;
}

/** The files of a message that is not sent yet: their uploads, with what failed. */
export function Attachments({ place, field, waits, wait }: AttachmentsProps) {
  const uploads = uploadsOf(useVigil());
  const [files] = useDraft(filesPlace(place), noFiles);
  const parts = useSyncExternalStore(uploads.subscribe, uploads.progress);
  const [heard, setHeard] = useState('');
  // A region that comes with its words is not read.
  useEffect(() => setHeard(filesHeard(files)), [files]);
  useEffect(() => uploads.recover(place), [uploads, place]);
  const coming = files.filter(({ id }) => id === undefined).length;
  return (
    <>
      {files.length > 0 && (
        <ul
          aria-label={t('Files of the message')}
          className="mb-1.5 flex max-h-44 flex-wrap sm:max-h-52 gap-1.5 overflow-y-auto overscroll-contain"
        >
          {files.map((file) => (
            <Chip
              key={file.key}
              file={file}
              part={parts.get(file.key)}
              retry={uploads.canRetry(file.key) ? () => uploads.retry(place, file.key) : undefined}
              remove={() => {
                uploads.remove(place, file.key);
                // On a touch device, the keyboard would cover the page.
                if (matchMedia('(hover: hover)').matches) field.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      {waits && (
        <p className="flex min-h-8 flex-wrap items-center gap-x-2 px-1.5 pb-1 text-muted text-sm">
          {t(
            '{count, plural, =1 {Sent as soon as the file is uploaded.} other {Sent as soon as # files are uploaded.}}',
            { count: coming },
          )}
          <button
            type="button"
            onClick={() => wait(false)}
            className="min-h-6 font-medium text-accent underline underline-offset-2"
          >
            {t('Do not send yet')}
          </button>
        </p>
      )}
      {files.some(({ problem }) => problem !== undefined) && (
        <p className="px-1.5 pb-1 text-muted text-xs">
          {t('To send the message, retry or remove what was not uploaded.')}
        </p>
      )}
      <p role="status" className="sr-only">
        {[heard, waits && t('The message is sent when all files are uploaded.')].filter(Boolean).join(' ')}
      </p>
    </>
  );
}

interface ChipProps {
  file: DraftFile;
  /** The part that is sent, while it is uploaded. */
  part?: number;
  retry?: () => void;
  remove: () => void;
}

function Chip({ file, part, retry, remove }: ChipProps) {
  const { size, id, problem, preview } = file;
  const name = seenName(file.name);
  const isOver = id !== undefined || problem !== undefined;
  const chipButton = clsx(smallButton, 'size-7 [@media(hover:none)]:size-11');
  return (
    <li
      className={clsx(
        'flex min-w-0 items-center gap-2 rounded-xl border p-1',
        problem ? 'w-full border-bad/40 bg-bad-ground' : 'w-56 border-line bg-side max-sm:w-full',
      )}
    >
      <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-lg bg-line/60 text-muted">
        {preview ? (
          <Preview preview={preview} className="size-full object-cover" />
        ) : (
          <FileIcon mediaType={file.mediaType} className="size-5" />
        )}
      </span>
      <span className="min-w-0 grow text-xs leading-snug">
        <Name name={name} className="font-medium" />
        {problem ? (
          <span className="block text-bad [overflow-wrap:anywhere]">{problem}</span>
        ) : (
          <span className="flex items-center gap-2 text-muted">
            <span className="shrink-0">{sizeWords(size)}</span>
            {id === undefined && <Progress name={name} part={part ?? 0} />}
          </span>
        )}
      </span>
      {problem && retry && (
        <button
          type="button"
          onClick={retry}
          aria-label={t('Retry {name}', { name })}
          title={t('Retry')}
          className={chipButton}
        >
          <RotateCw aria-hidden className="size-4" />
        </button>
      )}
      <button
        type="button"
        onClick={remove}
        aria-label={isOver ? t('Remove {name}', { name }) : t('Cancel {name}', { name })}
        title={isOver ? t('Remove') : t('Cancel')}
        className={chipButton}
      >
        <X aria-hidden className="size-4" />
      </button>
    </li>
  );
}

const Progress = ({ name, part }: { name: string; part: number }) => (
  <progress
    aria-label={t('Uploading {name}', { name })}
    value={part}
    max={1}
    className="h-1 w-full min-w-0 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent forced-colors:appearance-auto"
  />
);
