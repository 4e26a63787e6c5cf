import { type ComponentProps, useEffect, useImperativeHandle, useRef, useState } from 'react';

/** Lets content that is too wide scroll by itself. Takes the focus only then, so that the keyboard reaches the rest. */
export function Scroller({ label, ref, children, ...rest }: ComponentProps<'div'> & { label: string }) {
  const whole = useRef<HTMLDivElement>(null);
  useImperativeHandle<HTMLDivElement | null, HTMLDivElement | null>(ref, () => whole.current);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const { current } = whole;
    if (!current) return;
    const measure = new ResizeObserver(() => {
      const isHigh = current.scrollHeight > current.clientHeight && getComputedStyle(current).overflowY !== 'hidden';
      setScrolls(isHigh || current.scrollWidth > current.clientWidth);
    });
    measure.observe(current);
    // The content grows without changing the size of what it scrolls in.
    for (const child of current.children) measure.observe(child);
    return () => measure.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div ref={whole} role="group" aria-label={label} tabIndex={scrolls ? 0 : undefined} {...rest}>
      {children}
    </div>
  );
}
