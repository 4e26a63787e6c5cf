import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  Clock3,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  MessageCircleQuestion,
  RotateCw,
  ShieldQuestion,
  Undo2,
} from 'lucide-react';
import type { CallState } from '../rows/call-state';
import { comesNext } from '../words/rule-words';
import { moment, span } from '../words/words';

export interface CallLooks {
  Icon: LucideIcon;
  tone: string;
  words: string;
  /** Whether the icon is animated: something is in progress. */
  moving?: boolean;
}

/** Returns the icon, the colour and the label of a call's state. */
export function looksOf(state: CallState, now: number): CallLooks {
  switch (state.is) {
    case 'queued':
      return { Icon: CircleDashed, tone: 'text-faint', words: 'queued' };
    case 'running':
      return { Icon: LoaderCircle, tone: 'text-accent', words: runningWords(state), moving: true };
    case 'retrying': {
      const which = attemptWords(state);
      if (!state.failed.retryBy) return { Icon: CircleX, tone: 'text-bad', words: `${which} failed` };
      return { Icon: RotateCw, tone: 'text-bad', words: `retrying · ${which}`, moving: true };
    }
    case 'waiting':
      return waiting(state, now);
    case 'approval':
      return { Icon: ShieldQuestion, tone: 'text-wait', words: 'needs approval' };
    case 'question':
      return { Icon: MessageCircleQuestion, tone: 'text-wait', words: 'asks you' };
    case 'done': {
      if (state.notUndone) return { Icon: CircleX, tone: 'text-bad', words: 'done · not undone' };
      const words = state.tookMs === undefined ? 'done' : `done · ${span(state.tookMs)}`;
      return { Icon: CircleCheck, tone: 'text-good', words };
    }
    case 'timed':
      return { Icon: Clock3, tone: 'text-sleep', words: comesNext(state.timer, now) };
    case 'interrupted':
      return { Icon: Clock3, tone: 'text-muted', words: 'interrupted by a message' };
    case 'failed':
      return { Icon: CircleX, tone: 'text-bad', words: 'failed · reported to the model' };
    case 'denied':
      return { Icon: Ban, tone: 'text-muted', words: state.byMe ? 'denied by you' : 'denied' };
    case 'unknown':
      return {
        Icon: CircleHelp,
        tone: 'text-bad',
        words: state.notUndone ? 'outcome unknown · not undone' : 'outcome unknown',
      };
    case 'undone':
      return { Icon: Undo2, tone: 'text-muted', words: 'undone' };
    case 'cancelled':
      return { Icon: Ban, tone: 'text-muted', words: 'cancelled' };
  }
}

function waiting(state: Extract<CallState, { is: 'waiting' }>, now: number): CallLooks {
  const time = state.until ? ` until ${moment(state.until, now)}` : '';
  switch (state.on) {
    case 'time':
      return { Icon: Clock3, tone: 'text-sleep', words: `waiting${time}` };
    case 'outside':
      return { Icon: Hourglass, tone: 'text-sleep', words: `waiting for an outside system${time}` };
    case 'approvers':
      return { Icon: ShieldQuestion, tone: 'text-sleep', words: `needs the approval of ${state.who}${time}` };
    case 'agent':
      return { Icon: LoaderCircle, tone: 'text-accent', words: 'another agent is working', moving: true };
  }
}

const runningWords = (state: Extract<CallState, { is: 'running' }>): string =>
  state.attempt === 1 ? 'running' : `running · ${attemptWords(state)}`;

/** After a retry of the run, a call may have more attempts than the tool's own limit. */
const attemptWords = ({ attempt, atMost = 0 }: { attempt: number; atMost?: number }): string =>
  attempt <= atMost ? `attempt ${attempt} of ${atMost}` : `attempt ${attempt}`;
