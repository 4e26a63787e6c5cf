import { Fragment, useEffect, useState } from 'react';
import { t } from '../languages/catalogue';
import { CopyButton } from './copy-button';
import type { Piece } from './highlight';
import { toHighlight } from './highlighting';
import { Scroller } from './scroller';

export interface CodeBlockProps {
  code: string;
  /** As its author wrote it. */
  language: string;
  growing: boolean;
}

/** A block of code: its language, a button that copies it, and the code, with colours if the language is known. */
export function CodeBlock({ code, language, growing }: CodeBlockProps) {
  const { pieces, rest } = useHighlighted(code, language, growing);
  return (
    <div dir="ltr" className="code-block">
      <div className="flex items-center justify-between py-0.5 pr-1 pl-3.5">
        <span className="truncate text-faint text-xs">{language || t('text')}</span>
        <CopyButton label={t('Copy code')} content={() => ({ text: code })} />
      </div>
      <Scroller
        label={language ? t('Code, {language}', { language }) : t('Code')}
        className="overflow-x-auto px-3.5 pb-3"
      >
        <pre>
          <code>
            <Pieces of={pieces} />
            {rest}
          </code>
        </pre>
      </Scroller>
    </div>
  );
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
