import { useNow } from '../hooks/use-vigil';
import { inUtc, span } from '../words/words';

/** The time left to answer. */
export function TimeLeft({ until }: { until: string }) {
  const now = useNow();
  const left = Date.parse(until) - now;
  return (
    <span title={inUtc(until)} className="ml-auto text-muted text-xs">
      {left > 0 ? `${span(left)} left` : 'expired'}
    </span>
  );
}
