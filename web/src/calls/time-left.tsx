import { useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { inUtc, span } from '../words/words';

/** The time left to answer. */
export function TimeLeft({ until }: { until: string }) {
  const now = useNow();
  const left = Date.parse(until) - now;
  return (
    <span title={inUtc(until)} className="ml-auto text-muted text-xs">
      {left > 0 ? t('{span} left', { span: span(left) }) : t('expired')}
    </span>
  );
}
