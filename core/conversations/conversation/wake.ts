import { withoutPauses } from '../../base/models/model-outage';
import { clockToleranceMs } from '../../base/state/waiting';
import { WrongState } from '../../base/text/errors';
import { inZone } from '../../base/time/time-zone';
import { readCallsOfStep } from '../calls/call';
import { changeCall, writesOf } from '../calls/change-call';
import { storeResult } from '../calls/result';
import { isWait } from '../decisions/route';
import { checkEffect } from '../members/effects';
import { type Person, userOf } from '../members/role';
import { key } from '../rows/keys';
import type { Meta, StoredRun } from '../rows/meta';
import type { StoredCall } from '../rows/rows';
import { moveToNewSegment } from '../runs/segment';
import { changeConversation } from '../store/change-conversation';
import { RowConflict, type Table } from '../store/table';

/**
 * Ends a wait of a run before its time, because its owner asks. The run moves to its next segment, as it does for a message, so the execution
 * that sleeps changes nothing any more. The request names the time that its owner saw: if that has come, or another wait has begun, nothing
 * changes.
 */
interface Wake {
  conversationId: string;
  user: Person;
}

const resultBytes = 4_000;

/**
 * Wakes a sleeping run: all of its waits are over.
 *
 * @param until the time until which the owner saw it sleep.
 * @throws NotFound, NotAllowed as `checkEffect` does.
 */
export const wakeRun = (
  table: Table,
  { conversationId, user, until }: Wake & { until: string },
  now: Date,
): Promise<Meta> =>
  changeConversation<Meta>(table, conversationId, async (meta) => {
    const may = checkEffect(meta, user, 'wake');
    const { run } = meta;
    if (run?.status !== 'sleeping' || run.until === undefined || !isSame(run.until, until)) return { answer: meta };
    const waits = (await readCallsOfStep(table, conversationId, run.id, run.step)).filter(isWait);
    // Their time has come, and the loop continues.
    if (waits.length === 0) return { answer: meta };
    return moved(
      meta,
      may === 'asks' ? { ...run, askedBy: userOf(user) } : run,
      now,
      waits.flatMap((call) => endOf(call, now)),
    );
  });

/** Two texts may name one time. */
const isSame = (one: string, other: string): boolean => Date.parse(one) === Date.parse(other);

function endOf(call: StoredCall, now: Date) {
  const { until = '', timeZone } = call;
  const result =
    `The time has come early: the user has ended the wait. It was set for ${inZone(until, timeZone)}, and it is now ${inZone(now, timeZone)}. ` +
    'Continue as if that time had come.';
  const { fields, rows } = storeResult(call.id, result, resultBytes);
  // It has waited until now: one that ends before its time was interrupted by a message.
  const changed = changeCall(call, 'complete', { now, set: { ...fields, until: now.toISOString() } });
  if (!changed) throw new RowConflict(key.call(call.id));
  return [...writesOf(changed), ...rows];
}

/**
 * Makes the next attempt of a run whose model does not answer, which waits for its time. A pause that the model's server asks for holds.
 *
 * @param nextAt the time of the next attempt that the owner saw.
 * @throws NotFound, NotAllowed as `checkEffect` does.
 * @throws WrongState if no model may be asked sooner.
 */
export const retryModel = (
  table: Table,
  { conversationId, user, nextAt }: Wake & { nextAt: string },
  now: Date,
): Promise<Meta> =>
  changeConversation<Meta>(table, conversationId, (meta) => {
    checkEffect(meta, user, 'askModel');
    const { run } = meta;
    const { modelWait: wait } = run ?? {};
    if (run?.status !== 'running' || !wait || !isSame(wait.nextAt, nextAt)) return { answer: meta };
    // The attempt is in progress, or about to begin by another process's clock. A second one would be paid, too.
    if (Date.parse(wait.nextAt) <= now.getTime() + clockToleranceMs) return { answer: meta };
    const outages = withoutPauses(run.outages, now);
    const at = now.toISOString();
    // Models whose time has come are not those for which the run waits.
    const paused = Object.entries(run.outages ?? {}).filter(([, outage]) => outage.nextAt > at);
    if (paused.every(([maker]) => outages[maker]!.nextAt > at))
      throw new WrongState(`The server of the model ${wait.model} asks to wait: it is asked again at ${wait.nextAt}.`, {
        kind: 'model-asks-to-wait',
        values: { until: wait.nextAt },
      });
    return moved(meta, { ...run, outages, modelWait: { ...wait, nextAt: at } }, now);
  });

function moved(meta: Meta, run: StoredRun, now: Date, rows: ReturnType<typeof endOf> = []) {
  const next = { ...moveToNewSegment(meta, run, now), updatedAt: now.toISOString() };
  return { meta: next, rows, answer: { ...next, version: meta.version + 1 } };
}
