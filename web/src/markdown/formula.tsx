import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { t } from '../languages/catalogue';
import { Scroller } from './scroller';

export interface FormulaProps {
  /** In LaTeX. */
  source: string;
  isBlock: boolean;
  growing: boolean;
}

/** A formula. Its source is shown until it is complete and drawn, and if it cannot be read. */
export function Formula({ source, isBlock, growing }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState<string>();
  useEffect(() => {
    if (growing) return;
    let left = false;
    import('./draw-formula').then(
      ({ drawFormula, inTurn }) =>
        inTurn(() => {
          if (!left && place.current && drawFormula(place.current, source, isBlock)) setDrawn(source);
        }),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [source, isBlock, growing]);
  const isDrawn = drawn === source;
  const shown = (
    <>
      <span ref={place} className={clsx(!isBlock && 'formula', !isDrawn && 'hidden')} />
      {!isDrawn && <code dir="ltr">{source}</code>}
    </>
  );
  if (!isBlock) return shown;
  return (
    <Scroller label={t('Formula')} className={clsx('formula-block', !isDrawn && 'whitespace-pre')}>
      {shown}
    </Scroller>
  );
}
