import { useNow } from '../state/use-vigil';
import { inUtc, moment } from '../state/words';

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
