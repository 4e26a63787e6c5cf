import { useNow } from '../hooks/use-vigil';
import { inUtc, moment } from '../words/words';

export interface MomentProps {
  at: string;
  seconds?: boolean;
  className?: string;
}

/** A time in the reader's time zone, with UTC as a tooltip. */
export function Moment({ at, seconds, className }: MomentProps) {
  const now = useNow(60_000);
  return (
    <time dateTime={at} title={inUtc(at)} className={className}>
      {moment(at, now, seconds)}
    </time>
  );
}
