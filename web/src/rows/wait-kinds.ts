import type { Callback, Conversation } from 'vigil-client';
import { clip } from '../../../core/base/text/clip';
import { t } from '../languages/catalogue';
import { personName } from '../words/person';
import type { CallState } from './call-state';
import { deciderWords } from './deciders';

/** What the page shows of a kind of wait. `core/conversations/calls/wait-kinds.ts` says how to add one. */
export interface WaitKind {
  /** The state of a call that waits for it, which its card shows. */
  callState(callback: Callback): CallState;
  /** Says until when and for whom its run waits. `role`: what the reader is, unless they are the owner. */
  runWaits(callback: Callback, given: { end: string; role: Conversation['role']; now: number }): string;
  /** Says in a replay that it began; undefined if its step's message tells of it. */
  begins(callback: Callback, tool: string): string | undefined;
  /** Says that it was answered. */
  closed(): string;
}

const outside: WaitKind = {
  callState: ({ expiresAt: until }) => ({ is: 'waiting', until, on: 'outside' }),
  runWaits: (_, { end }) => t('Until an outside system delivers, at most until {end}.', { end }),
  begins: (_, tool) => t('{tool}: waits', { tool }),
  closed: () => t('answered'),
};

const waitKinds: Record<Callback['kind'], WaitKind> = {
  approval: {
    callState: (callback) => ({ is: 'approval', callback }),
    runWaits: (_, { end, role }) =>
      role
        ? t('Until its owner decides, at most until {end}.', { end })
        : t('Until you decide, at most until {end}.', { end }),
    begins: (_, tool) => t('{tool}: needs approval', { tool }),
    closed: () => t('decided'),
  },
  question: {
    callState: (callback) => ({ is: 'question', callback }),
    runWaits: (_, { end, role }) =>
      role === 'watcher'
        ? t('Until a member answers, at most until {end}.', { end })
        : t('Until you answer, at most until {end}.', { end }),
    begins: ({ prompt }, tool) => t('{tool}: asks “{question}”', { tool, question: brief(prompt) }),
    closed: () => t('answered'),
  },
  person: {
    callState: (callback) => ({ is: 'waiting', until: callback.expiresAt, on: 'person', callback, byMe: false }),
    runWaits: (callback, { end, now }) => {
      const { assigned } = callback;
      if (!assigned)
        return t('Until somebody of {group} takes the conversation over, at most until {end}.', {
          group: deciderWords(callback, now),
          end,
        });
      const name = personName(assigned.to, assigned.toName);
      return t('Until {name} gives the conversation back, at most until {end}.', { name, end });
    },
    begins: (callback, tool) => t('{tool}: waits for somebody of {group}', { tool, group: deciderWords(callback) }),
    closed: () => t('given back'),
  },
  webhook: { ...outside, closed: () => t('delivered') },
  task: outside,
  // A reply in the background belongs to no call.
  model: { ...outside, begins: () => undefined },
  agent: {
    ...outside,
    callState: ({ expiresAt: until }) => ({ is: 'waiting', until, on: 'agent' }),
    runWaits: (_, { end }) => t('Until another agent has finished, at most until {end}.', { end }),
  },
};

/** A page that is older than the server shows a kind that it does not know as work outside. */
export const waitKindOf = ({ kind }: Pick<Callback, 'kind'>): WaitKind => waitKinds[kind] ?? outside;

/** The beginning of what somebody has written. */
export const brief = (text: string): string => clip(text, { characters: 60 }, '…');
