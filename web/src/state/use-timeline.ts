import { useEffect, useRef, useState } from 'react';
import type { Timeline } from '../../../core/timeline';
import { wordsOf } from '../network/problem';
import { type Shown, useVigil } from './use-vigil';

export interface TimelineReading {
  timeline?: Timeline;
  problem?: string;
  again(): void;
}

const pauseMs = 300;

/**
 * What the runs did, read anew when a row that it is made of has come in another version, and rests for a moment: messages that
 * grow do not count, their ends do. Nothing is polled.
 */
export function useTimeline(conversation: Shown | undefined): TimelineReading {
  const { timeline: read } = useVigil();
  const [held, setHeld] = useState<Pick<TimelineReading, 'timeline' | 'problem'>>({});
  const [asked, setAsked] = useState(0);
  const begun = useRef(false);
  const id = conversation?.run ? conversation.id : undefined;
  const state = conversation ? stateOf(conversation) : '';
  useEffect(() => {
    if (!id) return;
    let current = true;
    const timer = setTimeout(
      () => {
        begun.current = true;
        read(id).then(
          (timeline) => current && setHeld({ timeline }),
          // What is on the screen stays there; the next change reads again.
          (error: unknown) => current && setHeld(({ timeline }) => ({ timeline, problem: wordsOf(error) })),
        );
      },
      // The first time there is nothing to wait for.
      begun.current ? pauseMs : 0,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [id, state, asked, read]);
  return { ...held, again: () => setAsked((times) => times + 1) };
}

const stateOf = ({ version, messages, calls, callbacks }: Shown): string =>
  [
    version,
    messages.filter(({ status }) => status !== 'streaming').length,
    ...[calls, callbacks].map((rows) => rows.reduce((sum, row) => sum + row.version, 0)),
  ].join(' ');
