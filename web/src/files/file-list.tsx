import { clsx } from 'clsx';
import { Download, ImageOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { notify } from '../state/vigil-state';
import { Late, lazily } from '../ui/late';
import { wordsOf } from '../words/problem-words';
import { smallButton } from './attach';
import { FileIcon, Name } from './file-name';
import { kindOf, seenName, sizeWords } from './file-words';
import { Preview } from './preview';
import type { ShownFile } from './shown-files';
import { followAddress, useAddress, useWasInView } from './use-address';

const Viewer = lazily(() => import('./viewer'), 'Viewer');
const PdfViewer = lazily(() => import('./pdf-viewer'), 'PdfViewer');

export interface FileListProps {
  /** Undefined until the message is stored: only then has it addresses. */
  conversationId?: string;
  files: readonly ShownFile[];
  /** At the right side, as the user's own messages. */
  isOwn?: boolean;
}

/** The files of a message or a result: pictures, and rows of what is played, opened or only saved. Nothing in a file runs. */
export function FileList({ conversationId, files, isOwn }: FileListProps) {
  const [open, setOpen] = useState<number>();
  if (files.length === 0) return null;
  const pictures = files.filter(({ mediaType }) => kindOf(mediaType) === 'picture');
  const others = files.filter(({ mediaType }) => kindOf(mediaType) !== 'picture');
  return (
    <div className={clsx('flex w-full flex-col gap-1.5', isOwn && 'items-end')}>
      {pictures.length > 0 && (
        <ul aria-label={t('Pictures')} className={clsx('flex flex-wrap gap-1.5', isOwn && 'justify-end')}>
          {pictures.map((file, index) => (
            <li key={`${file.id} ${file.filename}`}>
              <Tile
                conversationId={conversationId}
                file={file}
                isAlone={pictures.length === 1}
                open={() => setOpen(index)}
              />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul aria-label={t('Files')} className={clsx('flex w-full flex-col gap-1.5', isOwn && 'items-end')}>
          {others.map((file) => (
            <li key={`${file.id} ${file.filename}`} className="w-80 max-w-full">
              <FileRow conversationId={conversationId} file={file} />
            </li>
          ))}
        </ul>
      )}
      {open !== undefined && conversationId !== undefined && (
        <Late>
          <Viewer conversationId={conversationId} pictures={pictures} first={open} close={() => setOpen(undefined)} />
        </Late>
      )}
    </div>
  );
}

interface FileProps {
  conversationId?: string;
  file: ShownFile;
}

/** A picture at a place of fixed size, so that nothing moves when it is loaded. All of it is seen: a receipt is long. */
function Tile({ conversationId, file, isAlone, open }: FileProps & { isAlone: boolean; open: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const address = useAddress(conversationId, file, useWasInView(place));
  const [isLoaded, setLoaded] = useState(false);
  const name = seenName(file.filename);
  return (
    <div
      ref={place}
      className={clsx(
        'relative overflow-hidden rounded-xl border border-line bg-side',
        isAlone ? 'h-52 w-72 max-w-full' : 'size-36',
      )}
    >
      {address.problem ? (
        <div className="grid h-full content-center justify-items-center gap-1 p-2 text-center text-muted text-xs">
          <ImageOff aria-hidden className="size-5 text-faint" />
          <Name name={name} className="max-w-full" />
          <p className="[overflow-wrap:anywhere]">{address.problem}</p>
          {!address.isGone && (
            <button
              type="button"
              onClick={address.retry}
              className="min-h-6 font-medium text-accent underline underline-offset-2 [@media(hover:none)]:min-h-11"
            >
              {t('Try again')}
            </button>
          )}
        </div>
      ) : (
        <button
          type="button"
          onClick={open}
          disabled={conversationId === undefined}
          aria-label={t('View {name}', { name })}
          className="group/tile block size-full -outline-offset-2"
        >
          {file.preview && !isLoaded && (
            <Preview preview={file.preview} className="absolute inset-0 size-full object-cover" />
          )}
          {!file.preview && !isLoaded && (
            <FileIcon
              mediaType={file.mediaType}
              className="absolute inset-0 m-auto size-6 animate-breathe text-faint"
            />
          )}
          {address.url && (
            <img
              key={address.attempt}
              src={address.url}
              alt={name}
              decoding="async"
              onLoad={() => {
                setLoaded(true);
                address.loaded();
              }}
              onError={() => {
                setLoaded(false);
                address.failed();
              }}
              className={clsx(
                'relative size-full object-contain transition-opacity group-hover/tile:opacity-90',
                !isLoaded && 'opacity-0',
              )}
            />
          )}
        </button>
      )}
    </div>
  );
}

function FileRow({ conversationId, file }: FileProps) {
  const [isOpen, setOpen] = useState(false);
  const kind = kindOf(file.mediaType);
  const name = seenName(file.filename);
  const label = (
    <>
      <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-side text-muted">
        <FileIcon mediaType={file.mediaType} className="size-5" />
      </span>
      <span className="min-w-0 grow text-sm leading-snug">
        <Name name={name} className="font-medium" />
        <span className="block text-muted text-xs">{sizeWords(file.size)}</span>
      </span>
    </>
  );
  return (
    <div className="rounded-xl border border-line bg-raised p-1.5">
      <div className="flex items-center gap-2.5">
        {kind === 'pdf' && conversationId !== undefined ? (
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="flex min-w-0 grow items-center gap-2.5 rounded-lg text-left hover:bg-side [@media(hover:none)]:min-h-11"
          >
            <span className="sr-only">{t('View {name}', { name })}</span>
            <span aria-hidden className="contents">
              {label}
            </span>
          </button>
        ) : (
          label
        )}
        {conversationId !== undefined && <DownloadButton conversationId={conversationId} file={file} />}
      </div>
      {conversationId !== undefined && (kind === 'sound' || kind === 'video') && (
        <Player kind={kind} conversationId={conversationId} file={file} />
      )}
      {isOpen && conversationId !== undefined && (
        <Late>
          <PdfViewer conversationId={conversationId} file={file} close={() => setOpen(false)} />
        </Late>
      )}
    </div>
  );
}

/** Saves a file: never opens it, whatever it is. */
export function DownloadButton({ conversationId, file, isLarge }: Required<FileProps> & { isLarge?: boolean }) {
  const vigil = useVigil();
  const [busy, setBusy] = useState(false);
  const name = seenName(file.filename);
  const download = async () => {
    setBusy(true);
    try {
      await followAddress(vigil, { conversationId, file, as: 'attachment' });
    } catch (error) {
      notify(vigil.store, t('{name} was not downloaded: {problem}', { name, problem: wordsOf(error) }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      onClick={() => void download()}
      disabled={busy}
      aria-label={t('Download {name}', { name })}
      title={t('Download')}
      className={clsx(smallButton, isLarge ? 'size-11' : 'size-8 [@media(hover:none)]:size-11')}
    >
      <Download aria-hidden className={isLarge ? 'size-5' : 'size-4'} />
    </button>
  );
}

/** Plays a sound or a video on request. When its address has expired, it continues with another one where it was. */
function Player({ kind, conversationId, file }: Required<FileProps> & { kind: 'sound' | 'video' }) {
  const player = useRef<HTMLVideoElement>(null);
  const address = useAddress(conversationId, file, useWasInView(player));
  const at = useRef({ seconds: 0, plays: false });
  if (address.problem) return <p className="px-1 pt-1.5 text-muted text-xs">{address.problem}</p>;
  const Media = kind === 'sound' ? 'audio' : 'video';
  return (
    <Media
      key={address.attempt}
      ref={player}
      src={address.url}
      controls
      playsInline={kind === 'video' || undefined}
      preload="metadata"
      aria-label={seenName(file.filename)}
      onTimeUpdate={({ currentTarget }) => {
        at.current = { seconds: currentTarget.currentTime, plays: !currentTarget.paused };
      }}
      onPlay={() => {
        at.current.plays = true;
      }}
      onPause={() => {
        at.current.plays = false;
      }}
      onError={() => address.failed()}
      onLoadedMetadata={({ currentTarget }) => {
        address.loaded();
        const { seconds, plays } = at.current;
        if (seconds > 0) currentTarget.currentTime = seconds;
        if (plays) void currentTarget.play().catch(() => undefined);
      }}
      className={clsx('mt-1.5 w-full', kind === 'sound' ? 'h-11' : 'aspect-video rounded-lg bg-black')}
    />
  );
}
