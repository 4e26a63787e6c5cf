import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../core/conversations/agent/approvers';
import type { Registry } from '../../core/conversations/agent/registry';
import { beAbsent, endAbsence } from '../../core/conversations/approvals/absence';
import type { Table } from '../../core/conversations/store/table';
import type { Row } from './memory-table';
import type { Broken } from './promises';
import type { World } from './world';

const person = (user: string, ...groups: string[]): Caller => ({ user, groups, claims: {} });
/** Who tries to decide: the owner, members of the groups that some tools name, and strangers, of whom one stands in for others. */
export const owner = person('ada');
export const desk = [person('bob', 'desk'), person('bea', 'desk')];
export const board = person('cai', 'board');
const standIn = person('dan');
export const callers = [owner, ...desk, board, person('eve', 'others')];
/** Who tries to decide about what is up to the desk, if there are absences. */
export const deskAndStandIns = [...desk, ...desk, board, standIn];

/** A decision as a callback's row has it. */
export interface Decided {
  by: string;
  inPlaceOf?: string;
  at: string;
  approved: boolean;
  step: number;
}

/** A request to the API. @returns whether it was answered. */
type Api = (name: string, work: (table: Table, registry: Registry, now: Date) => Promise<unknown>) => Promise<boolean>;

/** A clock may be wrong by three seconds, and a process that decides may be slow. */
const lateMs = 120_000;

/** Absences of those who decide. Each decision in somebody's place is held against them at the moment when it is written. */
export class Absences {
  readonly broken: Broken[] = [];
  /** Those whose absence changes now: one request of each comes after the other. */
  private readonly busy = new Set<string>();
  /** Those who were told that their absence has ended. */
  private readonly back = new Set<string>();
  /** Those of whom a request to be absent may still be under way, because it was not answered. */
  private readonly unsure = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly api: Api,
  ) {}

  /** Somebody is away for a time, names another stand-in perhaps, and comes back before the time perhaps. */
  async go(decide: (by: Caller) => Promise<unknown>): Promise<void> {
    const { random } = this.world;
    const absent = random.pick([...desk, ...desk, board]);
    if (this.busy.has(absent.user)) return;
    this.busy.add(absent.user);
    const to = await this.leave(absent);
    for (let left = 1 + random.below(3); left > 0; left--) {
      this.world.begin(() => decide(random.pick([to, to, to, absent, ...desk])));
      await this.world.sleep(this.world.time + random.below(random.pick([1, 2_000, 20_000, 1_800_000])));
    }
    const next = random.pick(['return', 'return', 'return', 'leave', 'stay'] as const);
    // A decision at the same moment.
    if (random.chance(0.7)) this.world.begin(() => decide(to));
    if (next === 'return') await this.comeBack(absent);
    if (next === 'leave') await this.leave(absent);
    // They try again, although they know that it is over.
    if (random.chance(0.3)) this.world.begin(() => decide(random.pick([to, absent])));
    this.busy.delete(absent.user);
  }

  /** @returns who is to stand in. */
  private async leave(absent: Caller): Promise<Caller> {
    const { random } = this.world;
    const others = [standIn, standIn, standIn, ...desk, board, owner].filter(({ user }) => user !== absent.user);
    const to = random.pick(others);
    const from = this.later(random.pick([-60, -60, -60, -60, 10]));
    const until = this.later(random.pick([15, 620, 1_800, 86_400]));
    this.back.delete(absent.user);
    const isAnswered = await this.api('leave', (table, registry, now) =>
      beAbsent(table, registry, absent, { to: to.user, from, until }, now),
    );
    if (!isAnswered) this.unsure.add(absent.user);
    return to;
  }

  private async comeBack({ user }: Caller): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt++)
      if (await this.api('return', (table, _registry, now) => endAbsence(table, user, now))) {
        if (!this.unsure.has(user)) this.back.add(user);
        return;
      }
  }

  private later = (seconds: number): string => new Date(this.world.time + seconds * 1_000).toISOString();

  /** Looks at the decisions that a write adds. */
  note({ sk, id, copiedFrom, ttl, decisions = [] }: Row, before: Row | undefined): void {
    // A deletion leaves no decision.
    if (!sk.startsWith('CALLBACK#') || copiedFrom || ttl !== undefined) return;
    const all = decisions as Decided[];
    const earlier = (before?.decisions ?? []) as Decided[];
    const say = (words: string) => this.broken.push(`${String(id)}: ${words}`);
    if (!isDeepStrictEqual(all.slice(0, earlier.length), earlier)) say('a decision was lost.');
    for (const decided of all.slice(earlier.length)) if (decided.inPlaceOf) this.hold(decided, decided.inPlaceOf, say);
    const people = all
      .filter(({ approved }) => approved)
      .flatMap(({ by, inPlaceOf }) => [by, ...(inPlaceOf ? [inPlaceOf] : [])]);
    if (new Set(people).size < people.length) say(`somebody counts twice among ${people.join(', ')}.`);
  }

  /** The absence holds as the absent person's own row says now, whatever that of the stand-in does. */
  private hold({ by, at, step }: Decided, absent: string, say: (words: string) => void): void {
    const { user } = owner;
    this.world.count(`decided in somebody’s place in step ${step}`);
    const { to, from, until, endedAt } = (this.world.table.row({ pk: `U#${absent}`, sk: 'ABSENCE' }) ?? {}) as Row;
    const words = `${by} has decided in the place of ${absent}, `;
    if (to !== by) say(`${words}who has named ${String(to ?? 'nobody')}.`);
    if (endedAt !== undefined) say(`${words}whose absence was ended.`);
    if (this.back.has(absent)) say(`${words}who was told that the absence has ended.`);
    if (at < String(from) || at >= String(until)) say(`${words}at another time than that of the absence.`);
    if (Math.abs(Date.parse(at) - this.world.time) > lateMs) say(`${words}not at ${at}.`);
    if (by === user || absent === user) say(`${words}about a call of ${user}.`);
  }
}
