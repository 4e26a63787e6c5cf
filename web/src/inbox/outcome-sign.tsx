import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle } from 'lucide-react';
import type { Outcome } from './use-one-by-one';

/** The sign of what has become of one of several. Words are beside it. */
export function OutcomeSign({ outcome }: { outcome: Outcome | undefined }) {
  const look = 'mt-1 size-4 shrink-0';
  switch (outcome?.is) {
    case undefined:
      return <CircleDashed aria-hidden className={`${look} text-faint`} />;
    case 'sending':
      return <LoaderCircle aria-hidden className={`${look} animate-breathe text-accent`} />;
    case 'stored':
      return <CircleCheck aria-hidden className={`${look} text-good`} />;
    default:
      return <CircleAlert aria-hidden className={`${look} text-bad`} />;
  }
}
