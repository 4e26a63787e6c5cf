import { useMemo } from 'react';
import type { ConversationSummary, WaitingApproval } from 'vigil-client';
import { useApprovals, useHome } from 'vigil-client/react';
import { approvalPlace } from '../calls/approval-draft';
import { useOwn, useWaiting } from '../hooks/use-own';
import { useHomeFilter } from '../hooks/use-place';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { passes } from '../rows/home-filter';
import { homeRows } from '../rows/home-rows';
import { useRows } from '../ui/receipt';
import { wordsOf } from '../words/problem-words';

/** Returns what the home shows: all of it, and what its filter leaves. */
export function useHomeRows() {
  const { me } = useVigil();
  const { status, error } = useHome();
  const { list, timers } = useOwn();
  const { waiting, snoozed: putOff, taken } = useWaiting();
  const [filter] = useHomeFilter();
  const { agent, show } = filter;
  const all = useMemo(() => homeRows({ list, timers, approvals: waiting }), [list, timers, waiting]);
  const rows = useMemo(
    () => (agent ? homeRows({ list, timers, approvals: waiting }, agent) : all),
    [all, list, timers, waiting, agent],
  );
  const snoozed = useMemo(() => putOff.filter((one) => !agent || one.agent === agent), [putOff, agent]);
  const needsYou = useMemo(
    () =>
      // What a colleague has comes last, and does not count.
      (show === 'snoozed'
        ? snoozed
        : [...rows.needsYou, ...taken.filter((one) => !agent || one.agent === agent)]
      ).filter((one) => passes(one, filter, me.user)),
    [show, snoozed, rows.needsYou, taken, agent, filter, me.user],
  );
  const upcoming = show === 'reminders' ? rows.upcoming.filter(({ kind }) => kind === 'timer') : rows.upcoming;
  const { approvals } = useApprovals();
  const { store } = useVigil();
  // What is written in a row that is gone stays until its user discards it.
  useVigilState(({ drafts }) => drafts.size);
  const isWrittenIn = ({ conversationId, callback }: WaitingApproval, isTypedIn: boolean) =>
    !approvals.some((one) => one.callback.id === callback.id) &&
    (isTypedIn || store.getState().drafts.has(approvalPlace(conversationId, callback)));
  const shown = {
    needsYou: useRows(needsYou, callbackId, isWrittenIn),
    upcoming: useRows(upcoming, ({ key }) => key),
    running: rows.running,
    failed: useRows(rows.failed, conversationId),
  };
  return {
    filter,
    all,
    /** What waits of the chosen agent. */
    rows,
    snoozed,
    /** What is shown. */
    shown,
    problem: status === 'failed' ? wordsOf(error) : undefined,
    isEmpty:
      putOff.length === 0 &&
      taken.length === 0 &&
      [...Object.values(all), ...Object.values(shown)].every(({ length }) => length === 0),
  };
}
const callbackId = ({ callback }: WaitingApproval): string => callback.id;
const conversationId = ({ id }: ConversationSummary): string => id;

export type HomeContent = ReturnType<typeof useHomeRows>;
