import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, type LucideIcon, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { stepFrom } from './moments';
import type { Replayed } from './use-replay';

export interface ReplayControlsProps {
  replayed: Replayed;
  move: (index: number) => void;
  close: () => void;
}

const playMs = 1_200;

/** Moves through the moments: by buttons, by a slider, by the arrow keys (with Shift by step), or by itself. */
export function ReplayControls({ replayed, move, close }: ReplayControlsProps) {
  const { moments, index, moment, steps } = replayed;
  const slider = useRef<HTMLInputElement>(null);
  const [plays, setPlays] = useState(false);
  const last = moments.length - 1;
  const isLast = index >= last;
  useEffect(() => slider.current?.focus(), []);
  useEffect(() => {
    if (!plays) return;
    if (isLast) return setPlays(false);
    const timer = setTimeout(() => move(index + 1), playMs);
    return () => clearTimeout(timer);
  }, [plays, isLast, index, move]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, shiftKey, target } = event;
      if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector('[role=menu], dialog[open]')) return;
      // A tree and a field have arrow keys of their own.
      const isOwn =
        target !== slider.current && target instanceof Element && target.closest('[role=tree], input, textarea');
      if (key === 'Escape') close();
      if (isOwn || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return;
      // The slider would move, too.
      event.preventDefault();
      const by = key === 'ArrowLeft' ? -1 : 1;
      setPlays(false);
      move(shiftKey ? stepFrom(moments, index, by) : index + by);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  const play = () => {
    if (isLast) move(0);
    setPlays(!plays);
  };
  const what = moment.what.join(' · ');
  const goTo = (to: number) => () => {
    setPlays(false);
    move(to);
  };
  return (
    <>
      <div role="toolbar" aria-label={t('Replay')} className="mt-2 flex flex-wrap items-center gap-1">
        <Control
          Icon={ChevronFirst}
          label={t('Previous step')}
          act={goTo(stepFrom(moments, index, -1))}
          off={index === 0}
        />
        <Control Icon={ChevronLeft} label={t('Previous moment')} act={goTo(index - 1)} off={index === 0} />
        <Control Icon={plays ? Pause : Play} label={plays ? t('Pause') : t('Play')} act={play} off={last === 0} />
        <Control Icon={ChevronRight} label={t('Next moment')} act={goTo(index + 1)} off={isLast} />
        <Control Icon={ChevronLast} label={t('Next step')} act={goTo(stepFrom(moments, index, 1))} off={isLast} />
        <input
          ref={slider}
          type="range"
          aria-label={t('Moment')}
          aria-valuetext={t('Step {step} of {steps}, moment {index} of {count}: {what}', {
            step: moment.step,
            steps,
            index: index + 1,
            count: moments.length,
            what,
          })}
          min={0}
          max={last}
          value={index}
          onChange={({ currentTarget }) => goTo(Number(currentTarget.value))()}
          className="mx-1 min-w-20 grow basis-20 accent-(--accent)"
        />
        <span className="text-muted text-xs tabular-nums">
          {t('{index} of {count}', { index: index + 1, count: moments.length })}
        </span>
      </div>
      <p role="status" className="mt-1 line-clamp-2 text-sm [overflow-wrap:anywhere]" title={what}>
        {what}
      </p>
    </>
  );
}

interface ControlProps {
  Icon: LucideIcon;
  label: string;
  act: () => void;
  off: boolean;
}

/** It keeps the focus when there is nothing more to do. */
function Control({ Icon, label, act, off }: ControlProps) {
  return (
    <Button
      look="quiet"
      icon
      aria-label={label}
      aria-disabled={off || undefined}
      onClick={() => !off && act()}
      className={off ? 'opacity-45' : undefined}
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}
