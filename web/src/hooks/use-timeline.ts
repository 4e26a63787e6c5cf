import { useEffect, useMemo, useState } from 'react';
import { pause, type Timeline, untilFresh } from 'vigil-client/shared';
import { wordsOf } from '../words/problem-words';
import { type Shown, useVigil } from './use-vigil';

export interface TimelineReading {
  timeline?: Timeline;
  problem?: string;
  again(): void;
}

const restMs = 300;

/**
 * Returns the timeline of the runs. It is read again, one read at a time, when a row that it depends on has another
 * version. Messages count when they are complete, not while they grow. It never polls.
 */
export function useTimeline(conversation: Shown | undefined): TimelineReading {
  const { timeline: read } = useVigil();
  const [held, setHeld] = useState<Pick<TimelineReading, 'timeline' | 'problem'>>({});
  const id = conversation?.run ? conversation.id : undefined;
  const state = conversation ? stateOf(conversation) : '';
  const again = useMemo(() => {
    if (!id) return () => undefined;
    const work = () =>
      read(id).then(
        (timeline) => setHeld({ timeline }),
        // Content on the screen stays there. The next change reads again.
        (error: unknown) => setHeld(({ timeline }) => ({ timeline, problem: wordsOf(error) })),
      );
    const readAndRest = untilFresh(() => work().then(() => pause(restMs)));
    return () => void readAndRest();
  }, [id, read]);
  useEffect(again, [again, state]);
  return { ...held, again };
}

const stateOf = ({ version, messages, calls, callbacks }: Shown): string =>
  [
    version,
    messages.filter(({ status }) => status !== 'streaming').length,
    ...[calls, callbacks].map((rows) => rows.reduce((sum, row) => sum + row.version, 0)),
  ].join(' ');
