import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { Dialog } from '../ui/dialog';
import { DownloadButton } from './file-list';
import { Name } from './file-name';
import { bytesWords, seenName } from './file-words';
import type { ShownFile } from './shown-files';
import { useAddress } from './use-address';

export interface ViewerProps {
  conversationId: string;
  pictures: readonly ShownFile[];
  /** The index of the picture that is shown first. */
  first: number;
  close: () => void;
}

const mostZoom = 8;

/** Shows a message's pictures as large as the window. Arrows turn to the next one, + and − zoom, Escape closes. */
export function Viewer({ conversationId, pictures, first, close }: ViewerProps) {
  const [index, setIndex] = useState(first);
  const [zoom, setZoom] = useState(1);
  const picture = pictures[Math.min(index, pictures.length - 1)]!;
  const name = seenName(picture.filename);
  const turn = (by: number) => {
    setIndex((index + by + pictures.length) % pictures.length);
    setZoom(1);
  };
  const zoomBy = (factor: number) => setZoom(Math.min(mostZoom, Math.max(1, zoom * factor)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keys(turn, zoomBy, () => setZoom(1), { hasMany: pictures.length > 1, isZoomed: zoom > 1 })[
      event.key
    ];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <Dialog
      label={`Picture: ${name}`}
      close={close}
      className="h-dvh max-h-none w-screen max-w-none rounded-none! border-0 bg-page"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the whole dialog; each has a button as well. */}
      <div className="flex h-full flex-col" onKeyDown={onKeyDown}>
        <header className="flex items-center gap-1 border-line border-b py-1.5 pr-1.5 pl-4 text-sm">
          <div aria-live="polite" className="min-w-0 grow">
            <Name name={name} className="font-medium" />
            <p className="text-muted text-xs">
              {bytesWords(picture.size)}
              {pictures.length > 1 && ` · ${index + 1} of ${pictures.length}`}
              {zoom > 1 && ` · ${Math.round(zoom * 100)} %`}
            </p>
          </div>
          <Control label="Zoom out" onClick={() => zoomBy(0.5)} disabled={zoom === 1}>
            <ZoomOut aria-hidden className="size-5" />
          </Control>
          <Control label="Zoom in" onClick={() => zoomBy(2)} disabled={zoom === mostZoom}>
            <ZoomIn aria-hidden className="size-5" />
          </Control>
          <DownloadButton conversationId={conversationId} file={picture} isLarge />
          <Control label="Close" onClick={close} data-autofocus>
            <X aria-hidden className="size-5" />
          </Control>
        </header>
        <div className="relative min-h-0 grow">
          <Picture
            key={picture.id}
            conversationId={conversationId}
            file={picture}
            zoom={zoom}
            toggle={() => setZoom(zoom > 1 ? 1 : 2)}
          />
          {pictures.length > 1 && (
            <>
              <Control label="Previous picture" onClick={() => turn(-1)} className={clsx(overlaid, 'left-2')}>
                <ChevronLeft aria-hidden className="size-6" />
              </Control>
              <Control label="Next picture" onClick={() => turn(1)} className={clsx(overlaid, 'right-2')}>
                <ChevronRight aria-hidden className="size-6" />
              </Control>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}

const overlaid = '-translate-y-1/2 absolute top-1/2 border border-line bg-raised shadow-md';

const keys = (
  turn: (by: number) => void,
  zoomBy: (factor: number) => void,
  fit: () => void,
  { hasMany, isZoomed }: { hasMany: boolean; isZoomed: boolean },
): Record<string, (() => void) | undefined> => ({
  // The arrows scroll a picture that is larger than the window.
  ...(hasMany && !isZoomed && { ArrowLeft: () => turn(-1), ArrowRight: () => turn(1) }),
  ...(hasMany && { PageUp: () => turn(-1), PageDown: () => turn(1) }),
  '+': () => zoomBy(2),
  '=': () => zoomBy(2),
  '-': () => zoomBy(0.5),
  '0': fit,
});

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

interface PictureProps {
  conversationId: string;
  file: ShownFile;
  zoom: number;
  toggle: () => void;
}

/** At first as large as it is, or as the window. Zoomed, it is so many times larger and scrolls. */
function Picture({ conversationId, file, zoom, toggle }: PictureProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState<number>();
  const { url, attempt, problem, isGone, failed, loaded, retry } = useAddress(conversationId, file, true);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current || zoom === 1) return;
    // Its middle stays in the middle.
    current.scrollLeft = (current.scrollWidth - current.clientWidth) / 2;
    current.scrollTop = (current.scrollHeight - current.clientHeight) / 2;
  }, [zoom]);
  if (problem)
    return (
      <div role="alert" className="grid h-full content-center justify-items-center gap-2 p-8 text-muted">
        <p>{problem}</p>
        {!isGone && (
          <button
            type="button"
            onClick={retry}
            className="min-h-11 font-medium text-accent underline underline-offset-2"
          >
            Try again
          </button>
        )}
      </div>
    );
  const isZoomed = zoom > 1 && fit !== undefined;
  return (
    <div ref={scroller} tabIndex={isZoomed ? 0 : undefined} className="h-full overflow-auto -outline-offset-2">
      <div className={isZoomed ? 'grid min-h-full w-max min-w-full place-items-center' : 'h-full p-2 sm:p-4'}>
        {url && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys + and − do it.
          <img
            key={attempt}
            src={url}
            alt={seenName(file.filename)}
            onLoad={({ currentTarget }) => {
              loaded();
              setFit(shownWidth(currentTarget));
            }}
            onError={failed}
            onClick={toggle}
            style={isZoomed ? { width: fit * zoom } : undefined}
            className={clsx(
              'block',
              isZoomed ? 'h-auto max-w-none cursor-zoom-out' : 'size-full cursor-zoom-in object-scale-down',
            )}
          />
        )}
      </div>
    </div>
  );
}

/** The width at which a picture fits into its place. */
const shownWidth = ({ clientWidth, clientHeight, naturalWidth, naturalHeight }: HTMLImageElement): number =>
  naturalWidth * Math.min(1, clientWidth / naturalWidth, clientHeight / naturalHeight);
