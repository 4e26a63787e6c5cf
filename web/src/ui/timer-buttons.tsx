import { Pause, Pencil, Play, StepForward, X } from 'lucide-react';
import { useState } from 'react';
import type { OwnTimer } from 'vigil-client';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { timerWords } from '../words/rule-words';
import { Button } from './button';
import { Late, lazily } from './late';
import { Receipt, useHeld } from './receipt';

const TimerChange = lazily(() => import('./timer-change'), 'TimerChange');

export interface TimerButtonsProps {
  timer: OwnTimer;
  /** Whether the buttons have words, and only what changes the timer itself is offered. */
  worded?: boolean;
}

/** The actions on a timer: each can be changed and cancelled; a recurring one can be paused, resumed and run now. */
export function TimerButtons({ timer, worded }: TimerButtonsProps) {
  const { act, held } = useVigil();
  const receipt = useHeld(timer.id);
  const [changing, setChanging] = useState(false);
  const { conversationId, id, status, kind, schedule } = timer;
  const what = timerWords(timer);
  const isPaused = status === 'paused';
  const cancel = () =>
    held.begin({ is: 'cancelTimer', conversationId, timerId: id }, { words: t('Cancelled'), about: what });
  const pause = isPaused ? { words: t('Resume'), Icon: Play } : { words: t('Pause'), Icon: Pause };
  const actions = [
    // The code declares a schedule, which can only be paused.
    !schedule && { name: 'change', words: t('Change'), Icon: Pencil, press: () => setChanging(true) },
    kind === 'repeat' &&
      !worded && { name: 'run', words: t('Run now'), Icon: StepForward, press: () => void act.runTimer(timer) },
    kind === 'repeat' && { name: 'pause', ...pause, press: () => void act.pauseTimer(timer, !isPaused) },
    { name: 'cancel', words: t('Cancel'), Icon: X, press: cancel },
  ].filter((action) => action !== false);
  if (receipt) return <Receipt held={receipt} />;
  return (
    <span data-row="" className="flex shrink-0">
      {actions.map(({ name, words, Icon, press }) => (
        <Button
          // The button that pauses keeps the focus when it resumes.
          key={name}
          look="quiet"
          icon={!worded}
          onClick={press}
          aria-label={`${words}: ${what}`}
          title={worded ? undefined : words}
          className={worded ? 'px-2 text-xs' : undefined}
        >
          <Icon aria-hidden className={worded ? 'size-3.5' : 'size-4'} />
          {worded && (name === 'change' ? t('Change…') : words)}
        </Button>
      ))}
      {changing && (
        <Late>
          <TimerChange timer={timer} close={() => setChanging(false)} />
        </Late>
      )}
    </span>
  );
}
