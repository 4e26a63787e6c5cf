import { LastFailure } from '../calls/failed-attempts';
import { useStandstill } from '../hooks/use-standstill';
import { Moment } from '../ui/moment';
import { plain } from '../words/words';

/** Says for how long a run, or a timer that is due, has given no sign; which attempt is in progress, why the last one failed, and when the next begins. */
export function StandstillLines({ id }: { id: string }) {
  const standstill = useStandstill(id);
  if (!standstill) return null;
  const { of, seconds, known } = standstill;
  return (
    <div data-standstill className="mt-1 flex flex-col gap-1 text-xs">
      <p className="text-muted">
        {of === 'timer' && 'A timer is due. '}
        No sign for {seconds} s.
        {known?.execution === 'not started' && ' Step Functions has not started the run yet.'}
        {of === 'run' && known?.execution === 'ended' && ' Its execution has ended. What follows is decided soon.'}
      </p>
      {known?.attempts.map(({ state, callId, timerId, attempt, startedAt, failed }) => (
        <div key={`${state} ${callId} ${timerId}`}>
          <p className={failed ? 'font-medium text-bad' : 'text-muted'}>
            {plain(state)}: attempt {failed && !startedAt ? `${attempt - 1} failed` : attempt}
            {startedAt && (
              <>
                {' since '}
                <Moment at={startedAt} seconds />
              </>
            )}
            .
          </p>
          {failed && <LastFailure failed={failed} />}
        </div>
      ))}
    </div>
  );
}
