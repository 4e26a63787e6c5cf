import { clsx } from 'clsx';
import { useLayoutEffect, useRef, useState } from 'react';
import { t } from '../languages/catalogue';
import { seenName } from './file-words';
import type { ShownFile } from './shown-files';
import { useAddress } from './use-address';
import { NotShown, Turn, ViewerFrame } from './viewer-frame';

export interface ViewerProps {
  conversationId: string;
  pictures: readonly ShownFile[];
  /** The index of the picture that is shown first. */
  first: number;
  close: () => void;
}

/** Shows a message's pictures as large as the window. Arrows turn to the next one, + and − zoom, Escape closes. */
export function Viewer({ conversationId, pictures, first, close }: ViewerProps) {
  const [index, setIndex] = useState(first);
  const [zoom, setZoom] = useState(1);
  const picture = pictures[Math.min(index, pictures.length - 1)]!;
  const hasMany = pictures.length > 1;
  const turn = (by: number) => {
    setIndex((index + by + pictures.length) % pictures.length);
    setZoom(1);
  };
  return (
    <ViewerFrame
      conversationId={conversationId}
      file={picture}
      kind={t('Picture')}
      facts={hasMany ? t('{index} of {count}', { index: index + 1, count: pictures.length }) : undefined}
      zoom={{ factor: zoom, set: setZoom }}
      keys={{
        // The arrows scroll a picture that is larger than the window.
        ...(hasMany && zoom === 1 && { ArrowLeft: () => turn(-1), ArrowRight: () => turn(1) }),
        ...(hasMany && { PageUp: () => turn(-1), PageDown: () => turn(1) }),
      }}
      close={close}
    >
      <Picture
        key={picture.id}
        conversationId={conversationId}
        file={picture}
        zoom={zoom}
        toggle={() => setZoom(zoom > 1 ? 1 : 2)}
      />
      {hasMany && <Turn turn={turn} />}
    </ViewerFrame>
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
  if (problem) return <NotShown problem={problem} retry={isGone ? undefined : retry} />;
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
