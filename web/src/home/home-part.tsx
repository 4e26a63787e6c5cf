import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

export interface HomePartProps {
  title: string;
  /** Whether the rows share one frame. */
  framed?: boolean;
  children: ReactNode;
}

/** One part of the home: its title and its rows. */
export function HomePart({ title, framed, children }: HomePartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="mb-2 font-semibold text-muted text-xs">
        {title}
      </h2>
      <ul
        aria-labelledby={id}
        className={clsx(
          'flex flex-col',
          framed ? 'divide-y divide-line rounded-xl border border-line bg-raised' : 'gap-3',
        )}
      >
        {children}
      </ul>
    </section>
  );
}
