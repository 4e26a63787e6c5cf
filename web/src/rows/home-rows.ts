import type { ConversationSummary, OwnTimer, WaitingApproval } from 'vigil-client';
import type { List } from 'vigil-client/shared';
import { canRetry } from './list';
import { openOf } from './timers';

/** An upcoming item: a timer that fires, or a run that sleeps. */
export type Upcoming =
  | { kind: 'timer'; key: string; at: string; timer: OwnTimer; conversation?: ConversationSummary }
  | { kind: 'sleep'; key: string; at: string; conversation: ConversationSummary };

export interface HomeRows {
  needsYou: WaitingApproval[];
  upcoming: Upcoming[];
  /** Runs that work, or wait for somebody else. */
  running: ConversationSummary[];
  failed: ConversationSummary[];
}
export type HomeState = keyof HomeRows;

interface Given {
  list: List;
  timers: readonly OwnTimer[];
  approvals: readonly WaitingApproval[];
}

/** Returns what the home shows, of one agent or of all. The run of a sub-agent is part of the run that asked for it. */
export function homeRows({ list, timers, approvals }: Given, agent?: string): HomeRows {
  const isOf = (one: { agent: string } | undefined) => agent === undefined || one?.agent === agent;
  // What others share with the user is theirs to run.
  const own = [...list.values()].filter(({ role }) => role === undefined);
  const conversations = own.filter((one) => isOf(one) && one.parentId === undefined);
  const latest = (rows: ConversationSummary[]) => rows.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  const upcoming: Upcoming[] = [
    ...openOf(timers).map((timer): Upcoming => {
      const conversation = list.get(timer.conversationId);
      return { kind: 'timer', key: timer.id, at: timer.nextAt, timer, conversation };
    }),
    ...own
      .filter(({ status, until }) => status === 'sleeping' && until !== undefined)
      .map((one): Upcoming => ({ kind: 'sleep', key: one.id, at: one.until!, conversation: one })),
  ];
  return {
    needsYou: approvals.filter(isOf),
    upcoming: upcoming
      .filter(({ conversation }) => isOf(conversation))
      .sort((a, b) => Number(isPaused(a)) - Number(isPaused(b)) || Date.parse(a.at) - Date.parse(b.at)),
    running: latest(conversations.filter(isRunning)),
    failed: latest(conversations.filter(canRetry)),
  };
}

const isPaused = (one: Upcoming): boolean => one.kind === 'timer' && one.timer.status === 'paused';

const isRunning = ({ status, waitsFor = 'you' }: ConversationSummary): boolean =>
  status === 'running' || status === 'cancelling' || (status === 'waiting' && waitsFor !== 'you');

/** Returns the agents to choose from: those that occur. */
export const agentsIn = ({ needsYou, upcoming, running, failed }: HomeRows): string[] =>
  [
    ...new Set([
      ...needsYou.map(({ agent }) => agent),
      ...upcoming.flatMap(({ conversation }) => conversation?.agent ?? []),
      ...[...running, ...failed].map(({ agent }) => agent),
    ]),
  ].sort();
