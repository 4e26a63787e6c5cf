import { createHash } from 'node:crypto';
import type { Conversation } from 'vigil-client';
import { isOver, wholeConversation } from 'vigil-client/shared';
import { parseDuration } from '../../core/base/time/duration';
import type { User } from '../../test/support/api-client';
import type { Vigil } from '../testing/vigil';
import { actName, deedOf } from './acts';
import type { Case, Eval } from './define';

/** What a trial has used. */
export interface Used {
  /** Calls of models. */
  steps: number;
  tokens: number;
  costMicrodollars: number;
}

/** Names one trial of a case. */
export interface TrialName {
  eval: Eval;
  case: Case;
  /** From 1. */
  trial: number;
}

/** They stop an agent that does not come to an end. */
const defaultLimits = { steps: 40, costMicrodollars: 1_000_000 };

/** One trial of a case: its user, its conversation, and the acts that are left. It reads and acts while nothing runs in the cloud. */
export class Trial {
  #user!: User;
  #seen?: Conversation;
  #acts: NonNullable<Case['later']>;
  #done = 0;
  /** The moved clock's time of the last act. */
  #actedAt = 0;
  #problem?: string;
  #recorded?: Conversation;
  #isOver = false;
  /** The name of its user: the same seed gives the same users, and so the same ids. */
  readonly #person: string;

  constructor(
    readonly vigil: Vigil,
    readonly of: TrialName,
    seed: string,
  ) {
    const key = JSON.stringify([seed, of.eval.name, of.case.name, of.trial]);
    this.#person = createHash('sha256').update(key).digest('hex').slice(0, 16);
    this.#acts = [...(of.case.later ?? [])];
  }

  /** Says the first message. */
  async begin(now: number): Promise<void> {
    const { claims, groups, says } = this.of.case;
    this.#actedAt = now;
    this.#user = await this.vigil.user(this.#person, groups, claims);
    await this.#attempt('the first message', async () => {
      this.#seen = await this.#user.start(this.of.eval.agent, says);
    });
  }

  /** Takes the next act, if it is due, or ends. @returns whether anything was done. */
  async turn(now: number): Promise<boolean> {
    const seen = await this.#user.read(this.#seen!.id);
    this.#seen = seen;
    const over = this.#overLimit();
    if (over) return this.#end(over);
    const [act] = this.#acts;
    if (!act) return isAtRest(seen) && this.#end();
    const due = this.#dueAct();
    if (due === undefined ? isBusy(seen) : now < due) return false;
    const deed = deedOf(act, seen);
    // Without a time, an act waits until there is something to decide.
    if (!deed && due === undefined && !isAtRest(seen)) return false;
    const what = `act ${this.#done + 1} (${actName(act)})`;
    if (!deed) return this.#end(`${what}: nothing like that is pending: the conversation is ${seen.status}`);
    this.#acts.shift();
    this.#done += 1;
    this.#actedAt = due ?? now;
    await this.#attempt(what, () => deed(this.#user, (group) => this.vigil.user(`${this.#person}.${group}`, [group])));
    return true;
  }

  /** The time at which it is to be looked at again. */
  dueAt(): number | undefined {
    const { status, until } = this.#seen ?? {};
    const wakes = status === 'sleeping' && until ? Date.parse(until) : undefined;
    const times = [this.#dueAct(), wakes].filter((time) => time !== undefined);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Whether its agent works, though nothing runs: it waits for another attempt, or for another agent. */
  isBusy(): boolean {
    return !this.#isOver && this.#seen !== undefined && isBusy(this.#seen);
  }
  isOver(): boolean {
    return this.#isOver;
  }
  /** Why it was not played to its end. */
  get problem(): string | undefined {
    return this.#problem;
  }
  /** The whole conversation, if it has begun. */
  get recorded(): Conversation | undefined {
    return this.#recorded;
  }
  used(): Used {
    const usage = (this.#recorded ?? this.#seen)?.usage;
    return {
      steps: usage?.modelCalls ?? 0,
      tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
      costMicrodollars: usage?.costMicrodollars ?? 0,
    };
  }
  /** Ends it before its end. */
  async stop(problem: string): Promise<void> {
    if (!this.#isOver) await this.#end(problem);
  }

  #dueAct(): number | undefined {
    const after = this.#acts[0]?.after;
    return after === undefined ? undefined : this.#actedAt + parseDuration(after)!;
  }

  #overLimit(): string | undefined {
    const most = { ...defaultLimits, ...this.of.eval.limits };
    const used = this.used();
    const what = (['steps', 'costMicrodollars'] as const).find((one) => used[one] > most[one]);
    return what && `stopped: it used ${used[what]} ${what}, more than its limit of ${most[what]}`;
  }

  /** A refusal of the API is the case's problem. Anything else is the cloud's. */
  async #attempt(what: string, deed: () => Promise<unknown>): Promise<void> {
    try {
      await deed();
    } catch (error) {
      onlyRefused(error);
      await this.#end(`${what}: ${(error as Error).message}`);
    }
  }

  /** Records the conversation, and stops what is left of it: it would use money while the clock moves for others. */
  async #end(problem?: string): Promise<true> {
    this.#isOver = true;
    this.#problem = problem;
    if (!this.#seen) return true;
    const { api } = this.#user.client;
    const recorded = await wholeConversation(api, this.#seen.id);
    this.#recorded = recorded;
    const left: (() => Promise<unknown>)[] = recorded.timers
      .filter(({ status }) => status === 'active')
      .map(
        ({ id }) =>
          () =>
            api.cancelTimer(recorded.id, id),
      );
    const { run } = recorded;
    if (run && !isOver(run.status)) left.unshift(() => api.cancel(recorded.id, { runId: run.id }));
    // What has ended meanwhile is refused, and needs nothing.
    for (const cancel of left) await cancel().catch(onlyRefused);
    return true;
  }
}

/** @throws what is not an answer of the API. */
function onlyRefused(error: unknown): void {
  if ((error as Error).name !== 'RequestFailed') throw error;
}

/** Whether something happens without an act, and at no time that is known. */
const isBusy = ({ status, waitsFor }: Conversation): boolean =>
  status === 'running' || status === 'cancelling' || (status === 'waiting' && waitsFor === 'agent');
/** Whether nothing more happens without an act, but for timers. */
const isAtRest = (seen: Conversation): boolean => !isBusy(seen) && seen.status !== 'sleeping';
