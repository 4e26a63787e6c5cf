import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Lets content that is too wide scroll by itself. Takes the focus only then, so that the keyboard reaches the rest. */
export function Scroller({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const whole = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const { current } = whole;
    if (!current) return;
    const measure = new ResizeObserver(() => setScrolls(current.scrollWidth > current.clientWidth));
    measure.observe(current);
    // The content grows without changing the size of what it scrolls in.
    for (const child of current.children) measure.observe(child);
    return () => measure.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div ref={whole} role="group" aria-label={label} tabIndex={scrolls ? 0 : undefined} className={className}>
      {children}
    </div>
  );
}
