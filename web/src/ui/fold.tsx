import { clsx } from 'clsx';
import { type ReactNode, type RefObject, type UIEvent, use, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FoldsCode, StayHere, setUnfolded, useUnfolded } from '../hooks/use-fold';
import { t } from '../languages/catalogue';

export interface FoldProps {
  place: string;
  text: string;
  /** Whether more of it follows. It is then shown whole, and remains so. */
  isGrowing?: boolean;
  /** Whether it is shown whole at first, because it is what the reader has come for. */
  isWhole?: boolean;
  /** The height in pixels up to which it is never folded, and the height of what a fold shows. */
  most: number;
  shown: number;
  className?: string;
  children: ReactNode;
}

/** Shows the beginning of a text that is far too high for a page, and the rest on request. */
export function Fold({ place, text, isGrowing = false, isWhole = false, most, shown, className, children }: FoldProps) {
  const box = useRef<HTMLDivElement>(null);
  const isTall = useTall(box, text, most, isGrowing);
  const [startsWhole] = useState(isGrowing || isWhole);
  const isOpen = useUnfolded(place) ?? startsWhole;
  const { isFolded, toggle, reveal } = useToggle(isTall, isOpen, (open) => setUnfolded(place, open));
  return (
    <FoldsCode value={true}>
      <div className={className}>
        <div
          ref={box}
          data-folded={isFolded || undefined}
          className={clsx(isFolded && 'fold-fade relative overflow-hidden')}
          style={{ maxHeight: isFolded ? shown : undefined }}
          onScroll={reveal}
        >
          {children}
        </div>
        {isTall && <FoldButton isFolded={isFolded} toggle={toggle} />}
      </div>
    </FoldsCode>
  );
}

/** The button below a folded text. It stays where it is seen when the text gets shorter. */
export function FoldButton({ isFolded, toggle }: { isFolded: boolean; toggle: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const press = () => {
    toggle();
    if (!isFolded) button.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <button
      ref={button}
      type="button"
      onClick={press}
      className="mt-1 h-7 rounded-md font-medium text-accent text-sm underline-offset-2 hover:underline"
    >
      {isFolded ? t('Show more') : t('Show less')}
    </button>
  );
}

/**
 * Returns the state of a fold. A fold has no scrollbar, so it scrolls only when the browser shows something in it: a word that it has found,
 * or a link that gets the focus. It then opens.
 */
export function useToggle(canFold: boolean, isOpen: boolean, setOpen: (isOpen: boolean) => void) {
  const stay = use(StayHere);
  const isFolded = canFold && !isOpen;
  return {
    isFolded,
    toggle() {
      stay();
      flushSync(() => setOpen(isFolded));
    },
    reveal({ currentTarget }: UIEvent<HTMLElement>) {
      const { scrollTop } = currentTarget;
      if (!isFolded || scrollTop === 0) return;
      flushSync(() => setOpen(true));
      // What was hidden above is now above.
      stay(scrollTop - currentTarget.scrollTop);
    },
  };
}

/** Fewer characters and lines are never too high, and are not measured. */
const isLong = (text: string): boolean => text.length > 500 || text.split('\n', 20).length === 20;

/** Returns whether a text is too high. Measured once: what the reader opens within it does not fold it. */
function useTall(box: RefObject<HTMLElement | null>, text: string, most: number, isGrowing: boolean): boolean {
  const [isTall, setTall] = useState(false);
  const isMeasured = !isGrowing && isLong(text);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || !isMeasured) return setTall(false);
    const measure = () => {
      // Without a width, it is in a part of the page that is not shown.
      if (current.clientWidth === 0) return;
      setTall(current.scrollHeight > most);
      seen.disconnect();
    };
    const seen = new ResizeObserver(measure);
    seen.observe(current);
    measure();
    return () => seen.disconnect();
  }, [box, text, most, isMeasured]);
  return isTall;
}
