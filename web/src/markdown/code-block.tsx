import { clsx } from 'clsx';
import { Fragment, type UIEvent, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { FoldsCode } from '../hooks/use-fold';
import { t } from '../languages/catalogue';
import { FoldButton, useToggle } from '../ui/fold';
import { CopyButton } from './copy-button';
import type { Piece } from './highlight';
import { toHighlight, withoutFence } from './highlighting';
import { Scroller } from './scroller';

export interface CodeBlockProps {
  code: string;
  /** As its author wrote it. */
  language: string;
  growing: boolean;
}

/** The number of lines up to which a block is never folded, of those that a fold shows, and of those that an open block shows without scrolling. */
const lines = { most: 30, shown: 20, inPage: 200 };

/**
 * A block of code: its language, a button that copies it, and the code, with colours if the language is known. A long one is folded, and a
 * very long one scrolls by itself when it is open. The button stays in sight.
 */
export function CodeBlock({ code: whole, language, growing }: CodeBlockProps) {
  const code = growing ? withoutFence(whole) : whole;
  const { pieces, rest } = useHighlighted(code, language, growing);
  const count = countLines(code);
  const isLong = use(FoldsCode) && count > lines.most;
  const [isOpen, setOpen] = useState(growing);
  const { isFolded, toggle, reveal } = useToggle(isLong && !growing, isOpen, setOpen);
  const scrolls = count > lines.inPage && !isFolded;
  const follow = useEndOf(code, growing && scrolls);
  return (
    <div dir="ltr" className="code-block">
      <div className="sticky top-0 z-1 flex items-center justify-between rounded-t-[calc(var(--radius)-1px)] bg-side py-0.5 pr-1 pl-3.5">
        <span className="truncate text-faint text-xs">
          {language || t('text')}
          {isLong && ` · ${t('{count, plural, one {# line} other {# lines}}', { count })}`}
        </span>
        <CopyButton label={t('Copy code')} content={() => ({ text: code })} />
      </div>
      <Scroller
        label={language ? t('Code, {language}', { language }) : t('Code')}
        ref={follow.ref}
        data-folded={isFolded || undefined}
        className={clsx(
          'overflow-x-auto px-3.5 pb-3',
          isFolded && 'fold-fade overflow-y-hidden',
          scrolls && 'max-h-[80dvh] overflow-y-auto',
        )}
        style={{ maxHeight: isFolded ? `${lines.shown}lh` : undefined }}
        onScroll={(event) => {
          reveal(event);
          follow.moved(event);
        }}
      >
        <pre>
          <code>
            <Pieces of={pieces} />
            {rest}
          </code>
        </pre>
      </Scroller>
      {isLong && !growing && (
        <div className="px-3.5 pb-1.5">
          <FoldButton isFolded={isFolded} toggle={toggle} />
        </div>
      )}
    </div>
  );
}

function countLines(text: string): number {
  let count = 1;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) count += 1;
  return count;
}

/** Keeps the end of what grows in sight, unless the reader has scrolled away from it. */
function useEndOf(content: string, isGrowing: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isGrowing && isAtEnd.current) ref.current?.scrollTo(ref.current.scrollLeft, ref.current.scrollHeight);
  }, [content, isGrowing]);
  return {
    ref,
    moved({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) {
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
    },
  };
}

function Pieces({ of: pieces }: { of: Piece['pieces'] }) {
  return pieces.map((piece, index) => {
    if (typeof piece === 'string') return <Fragment key={index}>{piece}</Fragment>;
    return (
      <span key={index} className={piece.kind}>
        <Pieces of={piece.pieces} />
      </span>
    );
  });
}

/** Returns the highlighted beginning of the code, and the rest. Without the highlighter, all of it is the rest. */
function useHighlighted(code: string, language: string, growing: boolean): { pieces: Piece['pieces']; rest: string } {
  const [done, setDone] = useState<{ code: string; pieces: Piece['pieces'] }>();
  const wanted = language ? toHighlight(code, done?.code, growing) : undefined;
  useEffect(() => {
    if (wanted === undefined) return;
    let left = false;
    import('./highlight').then(
      ({ highlight }) => {
        if (!left) setDone({ code: wanted, pieces: highlight(wanted, language) ?? [wanted] });
      },
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [wanted, language]);
  if (!done || !code.startsWith(done.code)) return { pieces: [], rest: code };
  return { pieces: done.pieces, rest: code.slice(done.code.length) };
}
