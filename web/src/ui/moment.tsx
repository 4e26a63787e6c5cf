import { useNow } from '../state/use-vigil';
import { inLocalTime, moment } from '../state/words';

export interface MomentProps {
  at: string;
  seconds?: boolean;
  className?: string;
}

/** A time in UTC, as the agents write it, with the reader's local time as a tooltip. */
export function Moment({ at, seconds, className }: MomentProps) {
  const now = useNow(60_000);
  return (
    <time dateTime={at} title={`${inLocalTime(at)} your time`} className={className}>
      {moment(at, now, seconds)}
    </time>
  );
}
