import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../../core/base/text/errors';
import type { NewTimer } from '../../core/base/time/rule';
import { nextSlot, ruleOfTimes } from '../../core/base/time/schedule';
import { deploymentUser } from '../../core/conversations/agent/agent';
import type { Registry } from '../../core/conversations/agent/registry';
import { cancelTimerRows, isOpenTimer, readTimers } from '../../core/conversations/calls/timer';
import { key } from '../../core/conversations/rows/keys';
import { onlyReadable } from '../../core/conversations/rows/readable';
import type { StoredTimer } from '../../core/conversations/rows/rows';
import { createConversation } from '../../core/conversations/runs/conversation';
import { readSettings } from '../../core/conversations/runs/user-settings';
import { ignoreConflict, readPartition, type Table, write } from '../../core/conversations/store/table';
import type { RowWrite } from '../../core/conversations/store/write';
import { changedTimer } from '../../core/conversations/timers/change-timer';
import type { Schedule } from './agent-field';
import { DeclaredSchedule, prefix, scheduleKey } from './rows';

/** A schedule of the code for one of its users. */
interface Declared {
  agent: string;
  schedule: Schedule;
  user: string;
}

/** A difference between the code and the table. Each is one transaction, and changes nothing when it is made again. */
interface ScheduleChange {
  does: 'create' | 'change' | 'end';
  /** `<agent>/<name>`. */
  schedule: string;
  conversationId: string;
  /** Makes it. @returns false if another process was first. */
  make(table: Table, now: Date): Promise<boolean>;
}

/** Users' ids, as in the tokens' `sub`. */
const userId = /^\S{1,128}$/;

/**
 * Returns what the code declares, and the schedules whose users are not known because their function failed or did not answer in time: these
 * stay as they are. The functions run at the same time, so none waits for another.
 */
async function declaredBy(
  { agents }: Registry,
  answerMs: number,
): Promise<{ declared: Declared[]; failed: Map<string, Error> }> {
  const failed = new Map<string, Error>();
  const all = [...agents].flatMap(([agent, { schedules = [] }]) => schedules.map((schedule) => ({ agent, schedule })));
  const declared = await Promise.all(
    all.map(async ({ agent, schedule }): Promise<Declared[]> => {
      try {
        const users = await usersOf(agent, schedule, answerMs);
        return users.map((user) => ({ agent, schedule, user }));
      } catch (error) {
        failed.set(`${agent}/${schedule.name}`, error as Error);
        return [];
      }
    }),
  );
  return { declared: declared.flat(), failed };
}

async function usersOf(agent: string, { name, for: whose }: Schedule, answerMs: number): Promise<string[]> {
  if (whose === 'deployment') return [deploymentUser];
  const late = new ConfigurationError(
    `agent ${agent}: schedules: ${name}: for: the function did not answer within ${answerMs / 1_000} seconds`,
  );
  const over = new AbortController();
  const users: unknown = await Promise.race([
    (async () => whose())(),
    sleep(answerMs, undefined, { signal: over.signal }).then(() => Promise.reject(late)),
  ]).finally(() => over.abort());
  if (Array.isArray(users) && users.every((user) => typeof user === 'string' && userId.test(user)))
    return [...new Set<string>(users)];
  throw new ConfigurationError(
    `agent ${agent}: schedules: ${name}: for: the function must return a list of users' ids`,
  );
}

/** How long the function of a schedule may take to name its users. */
const usualAnswerMs = 10_000;

/** Compares what the code declares with what was applied. */
export async function scheduleChanges(table: Table, registry: Registry, answerMs = usualAnswerMs) {
  const { declared, failed } = await declaredBy(registry, answerMs);
  const rows = await readPartition(table, key.own, prefix, `${prefix}~`);
  const applied = new Map(onlyReadable(DeclaredSchedule, rows).map((row) => [scheduleKey(row), row]));
  const changes: ScheduleChange[] = [];
  for (const one of declared) {
    const { agent, user } = one;
    const sk = scheduleKey({ agent, name: one.schedule.name, user });
    const before = applied.get(sk);
    applied.delete(sk);
    const schedule = `${agent}/${one.schedule.name}`;
    if (!before || before.removed) {
      const conversationId = conversationFor(one, before);
      changes.push({ does: 'create', schedule, conversationId, make: (...at) => create(...at, one, before) });
    } else if (before.digest !== digestOf(one.schedule)) {
      const { conversationId } = before;
      changes.push({ does: 'change', schedule, conversationId, make: (...at) => change(...at, one, before) });
    }
  }
  for (const before of applied.values()) {
    const { agent, name, conversationId, removed } = before;
    const schedule = `${agent}/${name}`;
    if (removed || failed.has(schedule)) continue;
    changes.push({ does: 'end', schedule, conversationId, make: (at) => end(at, before) });
  }
  return { changes, failed };
}

/** Returns the digest of what a change of the code changes for its users. */
const digestOf = ({ name: _, for: __, ...said }: Schedule): string =>
  sha256(JSON.stringify(Object.entries(said).sort(([a], [b]) => (a < b ? -1 : 1))));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const wordsOf = ({ text, input }: Schedule): string => text ?? JSON.stringify(input);

/** Returns what a schedule says of its timer, in its own time zone or the user's. What the code leaves out replaces what it said before. */
async function saidBy(table: Table, schedule: Schedule, user: string) {
  const { cron, every, overlap = 'one', catchUp = 'one', jitterSeconds = 0 } = schedule;
  const timeZone = schedule.timeZone ?? (await readSettings(table, user)).timeZone ?? 'UTC';
  return { text: wordsOf(schedule), times: { cron, every, timeZone }, overlap, catchUp, jitterSeconds };
}

const generationAfter = (before?: DeclaredSchedule): number => (before?.generation ?? 0) + 1;

/** Returns the id of the conversation that a schedule gets next. */
const conversationFor = ({ agent, schedule, user }: Declared, before?: DeclaredSchedule): string =>
  `s_${sha256(JSON.stringify([agent, schedule.name, user, generationAfter(before)]))}`;

/** Creates the conversation with its timer. A schedule that is declared again begins another conversation. */
async function create(
  table: Table,
  now: Date,
  { agent, schedule, user }: Declared,
  before?: DeclaredSchedule,
): Promise<boolean> {
  const { name } = schedule;
  const generation = generationAfter(before);
  const conversationId = conversationFor({ agent, schedule, user }, before);
  const row = { version: 1, agent, name, user, digest: digestOf(schedule), conversationId, generation };
  const applied: RowWrite = {
    pk: key.own,
    sk: scheduleKey({ agent, name, user }),
    put: row,
    onlyIf: before ? { version: before.version } : 'absent',
  };
  const { times, ...said } = await saidBy(table, schedule, user);
  const rule = ruleOfTimes(times, now);
  const timer: NewTimer = { kind: 'repeat', at: nextSlot(rule, now, now)!, rule, ...said };
  const arranged = { timer, name, schedule: `${agent}/${name}` };
  const wanted = { id: conversationId, user, agent, title: titleOf(name), arranged, rows: [applied] };
  const made = await createConversation(table, wanted, now).catch(ignoreConflict);
  return made?.created === true;
}

/** People read a name like `weekly-report` as "Weekly report". */
const titleOf = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Changes the timer, which stays paused if it is. What its user has cancelled stays cancelled. */
async function change(
  table: Table,
  now: Date,
  { schedule, user }: Declared,
  before: DeclaredSchedule,
): Promise<boolean> {
  const applied = appliedWrite(before, { digest: digestOf(schedule) });
  const timer = await timerIn(table, before.conversationId);
  const isOpen = timer && isOpenTimer(timer);
  const { rows } = isOpen ? changedTimer(timer, await saidBy(table, schedule, user), now) : { rows: [] };
  return (await write(table, before.conversationId, [applied, ...rows]).catch(ignoreConflict)) === true;
}

/** Cancels the timer of a schedule that the code declares no longer. Its conversation stays. */
async function end(table: Table, before: DeclaredSchedule): Promise<boolean> {
  const timer = await timerIn(table, before.conversationId);
  const rows = timer && isOpenTimer(timer) ? cancelTimerRows(timer) : [];
  const applied = appliedWrite(before, { removed: true });
  return (await write(table, before.conversationId, [applied, ...rows]).catch(ignoreConflict)) === true;
}

const appliedWrite = (before: DeclaredSchedule, set: Partial<DeclaredSchedule>): RowWrite => ({
  pk: key.own,
  sk: scheduleKey(before),
  set,
  onlyIf: { version: before.version },
});

const timerIn = async (table: Table, conversationId: string): Promise<StoredTimer | undefined> =>
  (await readTimers(table, conversationId)).find(({ schedule }) => schedule !== undefined);
