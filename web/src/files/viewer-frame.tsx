import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { t } from '../languages/catalogue';
import { Dialog } from '../ui/dialog';
import { DownloadButton } from './file-list';
import { Name } from './file-name';
import { seenName, sizeWords } from './file-words';
import type { ShownFile } from './shown-files';

interface ViewerFrameProps {
  conversationId: string;
  file: ShownFile;
  /** "Picture" or "PDF", for a screen reader. */
  kind: string;
  /** What stands after the size: "3 of 12". */
  facts?: string;
  /** Of what is not zoomed by the browser. */
  zoom?: Zoom;
  /** Actions by the names of keys, besides those of the zoom. */
  keys?: Record<string, (() => void) | undefined>;
  close: () => void;
  children: ReactNode;
}

interface Zoom {
  factor: number;
  set: (factor: number) => void;
}

const mostZoom = 8;

/** A dialog as large as the window, for one file at a time: its name, zoom, download. + and − zoom, 0 fits, Escape closes. */
export function ViewerFrame({ conversationId, file, kind, facts, zoom, keys, close, children }: ViewerFrameProps) {
  const name = seenName(file.filename);
  const factor = zoom?.factor ?? 1;
  const zoomBy = (by: number) => zoom?.set(Math.min(mostZoom, Math.max(1, factor * by)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const enlarge = () => zoomBy(2);
    const zooms = { '+': enlarge, '=': enlarge, '-': () => zoomBy(0.5), '0': () => zoom?.set(1) };
    const action = { ...(zoom && zooms), ...keys }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <Dialog
      label={`${kind}: ${name}`}
      close={close}
      className="h-dvh max-h-none w-screen max-w-none rounded-none! border-0 bg-page"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the whole dialog; each has a button as well. */}
      <div className="flex h-full flex-col" onKeyDown={onKeyDown}>
        <header className="flex items-center gap-1 border-line border-b py-1.5 pr-1.5 pl-4 text-sm">
          <div aria-live="polite" className="min-w-0 grow">
            <Name name={name} className="font-medium" />
            <p className="text-muted text-xs">
              {sizeWords(file.size)}
              {facts && ` · ${facts}`}
              {factor > 1 && ` · ${Math.round(factor * 100)} %`}
            </p>
          </div>
          {zoom && (
            <>
              <Control label={t('Zoom out')} onClick={() => zoomBy(0.5)} disabled={factor === 1}>
                <ZoomOut aria-hidden className="size-5" />
              </Control>
              <Control label={t('Zoom in')} onClick={() => zoomBy(2)} disabled={factor === mostZoom}>
                <ZoomIn aria-hidden className="size-5" />
              </Control>
            </>
          )}
          <DownloadButton conversationId={conversationId} file={file} isLarge />
          <Control label={t('Close')} onClick={close} data-autofocus>
            <X aria-hidden className="size-5" />
          </Control>
        </header>
        <div className="relative min-h-0 grow">{children}</div>
      </div>
    </Dialog>
  );
}

/** The buttons at both sides. */
export const Turn = ({ turn }: { turn: (by: 1 | -1) => void }) => (
  <>
    <Control label={t('Previous picture')} onClick={() => turn(-1)} className={clsx(overlaid, 'left-2')}>
      <ChevronLeft aria-hidden className="size-6" />
    </Control>
    <Control label={t('Next picture')} onClick={() => turn(1)} className={clsx(overlaid, 'right-2')}>
      <ChevronRight aria-hidden className="size-6" />
    </Control>
  </>
);

const overlaid = '-translate-y-1/2 absolute top-1/2 border border-line bg-raised shadow-md';

function Control({ label, className, ...rest }: { label: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={clsx(
        'inline-grid size-11 shrink-0 place-items-center rounded-lg text-muted hover:bg-line/60 hover:text-ink disabled:opacity-45',
        className,
      )}
      {...rest}
    />
  );
}

/** Stands in place of what cannot be shown. */
export const NotShown = ({ problem, retry }: { problem: string; retry?: () => void }) => (
  <div role="alert" className="grid h-full content-center justify-items-center gap-2 p-8 text-center text-muted">
    <p>{problem}</p>
    {retry && (
      <button type="button" onClick={retry} className="min-h-11 font-medium text-accent underline underline-offset-2">
        {t('Try again')}
      </button>
    )}
  </div>
);
