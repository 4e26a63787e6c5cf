import { RotateCw, Square } from 'lucide-react';
import { LastFailure } from '../calls/failed-attempts';
import { useInspect } from '../hooks/use-inspect';
import { useStandstill } from '../hooks/use-standstill';
import { useConversation, useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { useMayWrite } from '../members/use-people';
import { isToCome } from '../rows/run-words';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { timerWords } from '../words/rule-words';
import { plain, toolWords } from '../words/words';

interface StandstillLinesProps {
  id: string;
  /** Whether the run can be stopped from here. */
  stops?: boolean;
}

/** Says for how long a run, or a timer that is due, has given no sign; which attempt is in progress, why the last one failed, and when the next begins. */
export function StandstillLines({ id, stops: offers }: StandstillLinesProps) {
  const mayWrite = useMayWrite();
  const stops = offers && mayWrite;
  const standstill = useStandstill(id);
  const { act } = useVigil();
  const { inspects } = useInspect();
  const { conversation } = useConversation(id);
  const now = useNow(1_000);
  const wait = stops && conversation?.run?.status === 'running' ? conversation.run.modelWait : undefined;
  if (wait && isToCome(wait, now))
    return (
      <Button className="self-start px-2 text-xs" onClick={() => void act.retryModel(id, wait.nextAt)}>
        <RotateCw aria-hidden className="size-3" /> {t('Retry now')}
      </Button>
    );
  if (!standstill) return null;
  const { of, seconds, known } = standstill;
  const { calls = [], timers = [], run } = conversation ?? {};
  const nameOf = ({ state, callId, timerId }: NonNullable<typeof known>['attempts'][number]): string => {
    if (inspects) return plain(state);
    const call = calls.find((one) => one.id === callId);
    const timer = timers.find((one) => one.id === timerId);
    if (call) return toolWords(call);
    if (timer) return timerWords(timer);
    return state === 'CallModel' ? t('The model') : t('The run');
  };
  return (
    <div data-standstill className="mt-1 flex flex-col gap-1 text-xs">
      <p className="text-muted">
        {of === 'timer' && `${t('A timer is due.')} `}
        {t('No sign for {seconds} s.', { seconds })}
        {known?.execution === 'not started' &&
          ` ${inspects ? t('Step Functions has not started the run yet.') : t('It has not started yet.')}`}
        {of === 'run' &&
          known?.execution === 'ended' &&
          ` ${inspects ? t('Its execution has ended. What follows is decided soon.') : t('What follows is decided soon.')}`}
      </p>
      {known?.attempts.map((one) => {
        const { state, callId, timerId, attempt, startedAt, failed } = one;
        return (
          <div key={`${state} ${callId} ${timerId}`}>
            <p className={failed ? 'font-medium text-bad' : 'text-muted'}>
              {startedAt
                ? rich('{name}: attempt {attempt} since {moment}.', {
                    name: nameOf(one),
                    attempt,
                    moment: <Moment at={startedAt} seconds />,
                  })
                : failed
                  ? t('{name}: attempt {attempt} failed.', { name: nameOf(one), attempt: attempt - 1 })
                  : t('{name}: attempt {attempt}.', { name: nameOf(one), attempt })}
            </p>
            {failed && <LastFailure failed={failed} />}
          </div>
        );
      })}
      {stops && of === 'run' && run?.status === 'running' && (
        <Button className="mt-1 self-start px-2 text-xs" onClick={() => void act.stop(id)}>
          <Square aria-hidden className="size-3 fill-current" /> {t('Stop this run')}
        </Button>
      )}
    </div>
  );
}
