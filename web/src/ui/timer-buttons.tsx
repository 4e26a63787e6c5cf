import { Pause, Play, StepForward, X } from 'lucide-react';
import type { OwnTimer } from 'vigil-client';
import { useVigil } from '../hooks/use-vigil';
import { timerWords } from '../words/rule-words';
import { Button } from './button';

/** The actions on a timer: a recurring one can be paused, resumed and run now; each can be cancelled. */
export function TimerButtons({ timer, left }: { timer: OwnTimer; left?: () => void }) {
  const { act } = useVigil();
  const { conversationId, id, status } = timer;
  const what = timerWords(timer);
  const isPaused = status === 'paused';
  const cancel = async () => {
    if (await act.cancelTimer(conversationId, id)) left?.();
  };
  return (
    <span className="flex shrink-0">
      {timer.kind === 'repeat' && (
        <>
          <Button look="quiet" icon onClick={() => void act.runTimer(timer)} aria-label={`Run now: ${what}`}>
            <StepForward aria-hidden className="size-4" />
          </Button>
          <Button
            look="quiet"
            icon
            onClick={() => void act.pauseTimer(timer, !isPaused)}
            aria-label={`${isPaused ? 'Resume' : 'Pause'}: ${what}`}
          >
            {isPaused ? <Play aria-hidden className="size-4" /> : <Pause aria-hidden className="size-4" />}
          </Button>
        </>
      )}
      <Button look="quiet" icon onClick={() => void cancel()} aria-label={`Cancel: ${what}`}>
        <X aria-hidden className="size-4" />
      </Button>
    </span>
  );
}
