import { clsx } from 'clsx';
import type { ConversationSummary } from 'vigil-client';
import { waitsForYou } from '../rows/list';

const looks: Record<ConversationSummary['status'], string> = {
  idle: 'border border-faint',
  running: 'animate-breathe bg-accent',
  sleeping: 'border-2 border-sleep',
  waiting: 'bg-wait',
  done: 'border border-faint',
  failed: 'bg-bad',
  limited: 'bg-bad',
  cancelling: 'animate-breathe bg-faint',
  cancelled: 'bg-faint',
};

/** A coloured dot. The status is always written next to it, for readers who cannot tell the colours apart. */
export function StatusDot({ of }: { of: Pick<ConversationSummary, 'status' | 'waitsFor'> }) {
  const look = of.status === 'waiting' && !waitsForYou(of) ? looks.sleeping : looks[of.status];
  return <span aria-hidden className={clsx('inline-block size-2 shrink-0 rounded-full', look)} />;
}
