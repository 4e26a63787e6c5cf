import type { FailedAttempt } from 'vigil-client/shared';
import { useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Moment } from '../ui/moment';
import { moment } from '../words/words';

/** Shows why the last attempt failed, and when it is made again. */
export function LastFailure({ failed }: { failed: FailedAttempt }) {
  const now = useNow(1_000);
  const { error, retryBy } = failed;
  return (
    <p role="status" className="text-bad text-xs [overflow-wrap:anywhere]">
      {error}
      {retryBy && ` ${againWords(retryBy, now)}`}
    </p>
  );
}

const againWords = (retryBy: string, now: number): string =>
  Date.parse(retryBy) > now
    ? t('Tried again by {moment}.', { moment: moment(retryBy, now, true) })
    : t('Trying again.');

/** All that is known of the attempts that failed. */
export function FailedAttempts({ failed }: { failed: readonly FailedAttempt[] }) {
  return (
    <ol className="flex flex-col gap-1">
      {failed.map(({ attempt, startedAt, endedAt, error }) => (
        <li key={`${attempt} ${startedAt}`} className="[overflow-wrap:anywhere]">
          {attempt}.{' '}
          {(endedAt ?? startedAt) && (
            <>
              <Moment at={(endedAt ?? startedAt)!} seconds className="whitespace-nowrap" />
              {': '}
            </>
          )}
          <span className="text-bad">{error}</span>
        </li>
      ))}
    </ol>
  );
}
