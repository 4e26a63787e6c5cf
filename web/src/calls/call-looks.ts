import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  Clock3,
  Headset,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  MessageCircleQuestion,
  RotateCw,
  ShieldQuestion,
  Undo2,
} from 'lucide-react';
import { t } from '../languages/catalogue';
import type { CallState } from '../rows/call-state';
import { deciderWords } from '../rows/deciders';
import { personName } from '../words/person';
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
      return { Icon: CircleDashed, tone: 'text-faint', words: t('queued') };
    case 'running':
      return { Icon: LoaderCircle, tone: 'text-accent', words: runningWords(state), moving: true };
    case 'retrying': {
      const which = attemptWords(state);
      if (!state.failed.retryBy)
        return { Icon: CircleX, tone: 'text-bad', words: t('{attempt} failed', { attempt: which }) };
      return { Icon: RotateCw, tone: 'text-bad', words: t('retrying · {attempt}', { attempt: which }), moving: true };
    }
    case 'waiting':
      return waiting(state, now);
    case 'approval':
      return { Icon: ShieldQuestion, tone: 'text-wait', words: t('needs approval') };
    case 'question':
      return { Icon: MessageCircleQuestion, tone: 'text-wait', words: t('asks you') };
    case 'done': {
      if (state.notUndone) return { Icon: CircleX, tone: 'text-bad', words: t('done · not undone') };
      const words = state.tookMs === undefined ? t('done') : t('done · {span}', { span: span(state.tookMs) });
      return { Icon: CircleCheck, tone: 'text-good', words };
    }
    case 'timed':
      return { Icon: Clock3, tone: 'text-sleep', words: comesNext(state.timer, now) };
    case 'interrupted':
      return { Icon: Clock3, tone: 'text-muted', words: t('interrupted by a message') };
    case 'failed':
      return { Icon: CircleX, tone: 'text-bad', words: t('failed · reported to the model') };
    case 'denied':
      return { Icon: Ban, tone: 'text-muted', words: state.byMe ? t('denied by you') : t('denied') };
    case 'unknown':
      return {
        Icon: CircleHelp,
        tone: 'text-bad',
        words: state.notUndone ? t('outcome unknown · not undone') : t('outcome unknown'),
      };
    case 'undone':
      return { Icon: Undo2, tone: 'text-muted', words: t('undone') };
    case 'cancelled':
      return { Icon: Ban, tone: 'text-muted', words: t('cancelled') };
  }
}

function waiting(state: Extract<CallState, { is: 'waiting' }>, now: number): CallLooks {
  const until = state.until && moment(state.until, now);
  switch (state.on) {
    case 'time': {
      const words = until ? t('waiting until {moment}', { moment: until }) : t('waiting');
      return { Icon: Clock3, tone: 'text-sleep', words };
    }
    case 'outside': {
      const words = until
        ? t('waiting for an outside system until {moment}', { moment: until })
        : t('waiting for an outside system');
      return { Icon: Hourglass, tone: 'text-sleep', words };
    }
    case 'approvers': {
      const words = t('needs the approval of {who} until {moment}', { who: state.who, moment: until });
      return { Icon: ShieldQuestion, tone: 'text-sleep', words };
    }
    case 'owner':
      return {
        Icon: ShieldQuestion,
        tone: 'text-sleep',
        words: t('{name} decides, until {moment}', { name: state.who, moment: until }),
      };
    case 'person':
      return { Icon: Headset, tone: 'text-sleep', words: takeOverWords(state, now) };
    case 'people':
      return { Icon: MessageCircleQuestion, tone: 'text-sleep', words: t('waits for an answer') };
    case 'agent':
      return { Icon: LoaderCircle, tone: 'text-accent', words: t('another agent is working'), moving: true };
  }
}

function takeOverWords({ callback, byMe }: Extract<CallState, { on: 'person' }>, now: number): string {
  const { assigned, createdAt } = callback;
  if (byMe) return t('you have taken over');
  if (assigned) return t('{name} has taken over', { name: personName(assigned.to, assigned.toName) });
  const group = deciderWords(callback, now);
  return createdAt
    ? t('waits for a person ({group}), since {moment}', { group, moment: moment(createdAt, now) })
    : t('waits for a person ({group})', { group });
}

const runningWords = (state: Extract<CallState, { is: 'running' }>): string =>
  state.attempt === 1 ? t('running') : t('running · {attempt}', { attempt: attemptWords(state) });

/** After a retry of the run, a call may have more attempts than the tool's own limit. */
const attemptWords = ({ attempt, atMost = 0 }: { attempt: number; atMost?: number }): string =>
  attempt <= atMost ? t('attempt {attempt} of {most}', { attempt, most: atMost }) : t('attempt {attempt}', { attempt });
