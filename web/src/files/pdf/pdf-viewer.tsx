import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useVigil } from '../../hooks/use-vigil';
import { t } from '../../languages/catalogue';
import { rich } from '../../languages/rich';
import type { Vigil } from '../../state/vigil';
import { wordsOf } from '../../words/problem-words';
import { sizeWords } from '../file-words';
import type { ShownFile } from '../shown-files';
import { addressOf } from '../use-address';
import { Control, NotShown, ViewerFrame } from '../viewer-frame';
import { openPdf, type PdfFile } from './open-pdf';
import type { Size } from './page-size';
import type { DrawnPage } from './pdf-worker';

export interface PdfViewerProps {
  conversationId: string;
  file: ShownFile;
  close: () => void;
}

/** The whole file is in memory while it is open. */
const mostBytes = 100_000_000;
/** How far an arrow scrolls. */
const arrowPixels = 60;

interface Opened {
  pdf: PdfFile;
  pages: number;
}

/**
 * Shows a PDF page by page. Arrows and Page Up or Down scroll and turn, Home and End go to the first and the last page, + and −
 * zoom, Escape closes.
 */
export function PdfViewer({ conversationId, file, close }: PdfViewerProps) {
  const [attempt, setAttempt] = useState(0);
  const { opened, problem } = useOpened(conversationId, file, attempt);
  const [number, setNumber] = useState(1);
  const [zoom, setZoom] = useState(1);
  const scroller = useRef<HTMLDivElement>(null);
  /** Whether the next page is shown from its end, because it was reached backwards. */
  const fromEnd = useRef(false);
  const last = opened?.pages ?? 1;
  const goTo = (page: number, isFromEnd = false) => {
    const next = Math.min(last, Math.max(1, page));
    if (next !== number) fromEnd.current = isFromEnd;
    setNumber(next);
  };
  const scroll = (by: number) => {
    const { current } = scroller;
    if (!current) return;
    const room = by > 0 ? current.scrollHeight - current.clientHeight - current.scrollTop : current.scrollTop;
    // Sizes on a screen are not whole numbers.
    if (room > 1) current.scrollTop += by;
    else goTo(number + Math.sign(by), by < 0);
  };
  const screenful = () => (scroller.current?.clientHeight ?? 0) * 0.9;
  return (
    <ViewerFrame
      conversationId={conversationId}
      file={file}
      kind="PDF"
      facts={opened && t('{index} of {count}', { index: number, count: last })}
      zoom={{ factor: zoom, set: setZoom }}
      keys={{
        ArrowDown: () => scroll(arrowPixels),
        ArrowUp: () => scroll(-arrowPixels),
        // They scroll a page that is larger than the window.
        ...(zoom === 1 && { ArrowLeft: () => goTo(number - 1), ArrowRight: () => goTo(number + 1) }),
        PageDown: () => scroll(screenful()),
        PageUp: () => scroll(-screenful()),
        Home: () => goTo(1),
        End: () => goTo(last),
      }}
      close={close}
      footer={last > 1 && <Pages number={number} last={last} goTo={goTo} />}
    >
      {problem ? (
        <NotShown problem={problem} retry={() => setAttempt(attempt + 1)} />
      ) : (
        <PageOf opened={opened} number={number} zoom={zoom} scroller={scroller} fromEnd={fromEnd} />
      )}
    </ViewerFrame>
  );
}

/** Turns the pages, and goes to one by its number. */
function Pages({ number, last, goTo }: { number: number; last: number; goTo: (page: number) => void }) {
  const [typed, setTyped] = useState<string>();
  return (
    <nav aria-label={t('Pages')} className="flex items-center justify-center gap-2 border-line border-t p-1 text-sm">
      <Control label={t('Previous page')} onClick={() => goTo(number - 1)} disabled={number === 1}>
        <ChevronLeft aria-hidden className="size-6" />
      </Control>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const page = Number(typed);
          if (Number.isInteger(page) && page > 0) goTo(page);
          setTyped(undefined);
        }}
      >
        {rich('{index} of {count}', {
          index: (
            <input
              aria-label={t('Page')}
              inputMode="numeric"
              autoComplete="off"
              value={typed ?? number}
              onChange={({ target }) => setTyped(target.value)}
              onBlur={() => setTyped(undefined)}
              className="h-9 w-16 rounded-lg border border-line bg-raised px-2 text-right [@media(hover:none)]:h-11"
            />
          ),
          count: last,
        })}
      </form>
      <Control label={t('Next page')} onClick={() => goTo(number + 1)} disabled={number === last}>
        <ChevronRight aria-hidden className="size-6" />
      </Control>
    </nav>
  );
}

function useOpened(conversationId: string, file: ShownFile, attempt: number): { opened?: Opened; problem?: string } {
  const vigil = useVigil();
  const [known, setKnown] = useState<{ opened?: Opened; problem?: string }>({});
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    let pdf: PdfFile | undefined;
    setKnown({});
    const open = async () => {
      if (file.size > mostBytes)
        throw new Error(
          t('This PDF has {size}, too many to show its pages here. Download it.', { size: sizeWords(file.size) }),
        );
      const bytes = await bytesOf(vigil, { conversationId, file, signal });
      if (signal.aborted) return;
      pdf = openPdf(bytes);
      const pages = await pdf.pages();
      if (pages === 0) throw new Error(t('This PDF has no pages.'));
      if (!signal.aborted) setKnown({ opened: { pdf, pages } });
    };
    open().catch((error: unknown) => signal.aborted || setKnown({ problem: wordsOf(error) }));
    return () => {
      control.abort();
      pdf?.close();
    };
  }, [vigil, conversationId, file.id, attempt]);
  return known;
}

/** Reads the file. An address that is refused may have expired, so another one is asked for once. */
async function bytesOf(
  vigil: Vigil,
  { conversationId, file, signal }: { conversationId: string; file: ShownFile; signal: AbortSignal },
): Promise<Blob> {
  for (const isRefused of [false, true]) {
    const url = await addressOf(vigil, { conversationId, file, as: 'attachment' }, isRefused);
    const answer = await fetch(url, { signal }).catch(() => undefined);
    if (answer?.ok) return answer.blob();
  }
  throw new Error(t('The file was not loaded. Try again.'));
}

interface PageOfProps {
  opened?: Opened;
  number: number;
  zoom: number;
  scroller: RefObject<HTMLDivElement | null>;
  fromEnd: RefObject<boolean>;
}

/** One page. The one before stays until it is drawn. */
function PageOf({ opened, number, zoom, scroller, fromEnd }: PageOfProps) {
  const place = usePlace(scroller);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<{ page?: DrawnPage; problem?: string; number: number }>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!opened || !place) return;
    let isStale = false;
    const asked = { number, zoom, place, pixelRatio: devicePixelRatio };
    opened.pdf.draw(asked).then(
      (page) => (isStale ? page.bitmap.close() : setDrawn({ page, number })),
      (error: unknown) => isStale || setDrawn({ problem: wordsOf(error), number }),
    );
    return () => {
      isStale = true;
    };
  }, [opened, number, zoom, place, attempt]);
  useLayoutEffect(() => {
    const { current } = canvas;
    if (!drawn?.page || !current) return;
    const { bitmap } = drawn.page;
    current.width = bitmap.width;
    current.height = bitmap.height;
    current.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
  }, [drawn]);
  const shownNumber = drawn?.number;
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current) current.scrollTop = fromEnd.current ? current.scrollHeight : 0;
    fromEnd.current = false;
  }, [shownNumber]);
  const label = t('Page {index} of {count}', { index: drawn?.number ?? number, count: opened?.pages ?? '…' });
  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
      tabIndex={0}
      aria-busy={drawn?.number !== number}
      className="relative h-full overflow-auto bg-side -outline-offset-2"
    >
      {drawn?.problem !== undefined && <NotShown problem={drawn.problem} retry={() => setAttempt(attempt + 1)} />}
      {!drawn && (
        <p role="status" className="grid h-full animate-breathe place-items-center text-muted">
          {t('Opening the PDF…')}
        </p>
      )}
      {drawn?.page && (
        <div className="grid min-h-full w-max min-w-full place-items-center">
          <div className="relative">
            <canvas
              ref={canvas}
              role="img"
              aria-label={label}
              style={{ width: drawn.page.shown.width, height: drawn.page.shown.height }}
              className="block bg-white shadow-md"
            />
            <p dir="auto" className="sr-only">
              {drawn.page.text || t('There is no text on this page.')}
            </p>
          </div>
          {drawn.page.isIncomplete && (
            <p
              role="status"
              className="sticky bottom-0 left-0 max-w-[100vw] border-line border-t bg-raised p-3 text-sm"
            >
              {t('Something on this page cannot be shown here. Download the file to see it.')}
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** The size of what is visible, without its scroll bars. */
function usePlace(element: RefObject<Element | null>): Size | undefined {
  const [place, setPlace] = useState<Size>();
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const seen = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = current;
      setPlace((before) => (before?.width === width && before.height === height ? before : { width, height }));
    });
    seen.observe(current);
    return () => seen.disconnect();
  }, [element]);
  return place;
}
