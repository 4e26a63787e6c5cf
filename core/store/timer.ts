import { type NewTimer, type Rule, ruleWords } from '../schedule';
import { key, type StoredCall, StoredTimer, timerRow } from './rows';
import { readRow, readRows, type Table } from './table';
import type { RowWrite } from './write';

/** A timer as a call makes it: committed with the call, and started by the relay. Its id is the call's. */
export const putTimer = (conversationId: string, call: StoredCall, timer: NewTimer, now: Date): RowWrite => {
  const createdAt = now.toISOString();
  const made: StoredTimer = {
    ...{ id: call.id, callId: call.id, user: call.user, version: 1, createdAt },
    ...whatFires(timer),
    ...{ status: 'active', fired: 0, segment: 1, segmentStartedAt: createdAt, segmentFired: 0, outbox: 'start' },
    conversationId,
  };
  return { sk: key.timer(call.id), put: timerRow(made), onlyIf: 'absent' };
};

function whatFires({ at, ...what }: NewTimer) {
  const nextAt = at.toISOString();
  if (what.kind !== 'repeat') return { ...what, nextAt };
  const { kind, rule, text } = what;
  return { kind, text, rule: ruleWords(rule), timeZone: rule.timeZone, everySeconds: rule.everySeconds, nextAt };
}

export const ruleOf = ({ rule, timeZone, everySeconds }: StoredTimer): Rule =>
  everySeconds === undefined ? { cron: rule, timeZone } : { everySeconds };

export async function readTimer(table: Table, conversationId: string, id: string): Promise<StoredTimer | undefined> {
  const row = await readRow(table, conversationId, key.timer(id));
  return row && StoredTimer.parse(row);
}

export async function readTimers(table: Table, conversationId: string): Promise<StoredTimer[]> {
  const rows = await readRows(table, conversationId, key.timer(''), `${key.timer('')}~`);
  return rows.map((row) => StoredTimer.parse(row));
}

/** Cancelling a timer: its execution is then stopped by the relay, and fires nothing meanwhile. */
export const cancelTimerRow = ({ id, version }: StoredTimer): RowWrite => ({
  sk: key.timer(id),
  set: { status: 'cancelled', outbox: 'stop' },
  onlyIf: { version },
});
