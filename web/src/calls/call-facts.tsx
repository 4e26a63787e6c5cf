import type { ReactNode } from 'react';
import { addressOf } from '../hooks/use-place';
import { t } from '../languages/catalogue';

export const factsLook = 'grid gap-x-4 gap-y-2 border-line border-t px-3 py-2.5 text-xs sm:grid-cols-[5.5rem_1fr]';
export const forkLook = 'inline-flex min-h-6 items-center gap-1 text-muted text-xs hover:text-ink';

/** A name and what belongs to it, in a list of `factsLook`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="text-muted">{children}</dd>
    </>
  );
}

/** Leads to the conversation of a sub-agent. */
export const Work = ({ id }: { id: string }) => (
  <a href={addressOf(id)} className="text-accent underline underline-offset-2">
    {t('in a separate conversation')}
  </a>
);
