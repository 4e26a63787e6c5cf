import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Conversation } from 'vigil-client';
import { isOver, wholeConversation } from 'vigil-client/shared';
import { ConfigurationError } from '../../core/base/text/errors';
import { parseDuration } from '../../core/base/time/duration';
import { mediaTypeOf } from '../../runtime/file-type';
import type { User } from '../../test/support/api-client';
import type { Vigil } from '../testing/vigil';
import { actName, deedOf, isDecision } from './acts';
import type { AskAndCount } from './ask-judge';
import { conversationWith, forkRecording, type Replaced } from './begin-at';
import type { Case, Eval } from './define';
import { Persona, type PersonaShown } from './persona';
import { type Place, placeIn, type Recording, readRecording, weeksLater } from './recording';
import type { Replay } from './replay';
import { type AnsweredCall, ToolAnswers } from './tool-rules';

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
  /** Of several. */
  model?: string;
}

/** Where a trial begins that plays a recording. */
interface Begins {
  recording: Recording;
  place: Place;
  /** The moved clock's time. */
  at: number;
}

const weekMs = 7 * 86_400_000;

/** They stop an agent that does not come to an end. */
const defaultLimits = { steps: 40, turns: 10, costMicrodollars: 1_000_000 };

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
  readonly #recording?: Omit<Begins, 'at'>;
  #begins?: Begins;
  /** The place of the first message that is not recorded. */
  #first = 0;
  #replay?: Replay;
  #answers?: ToolAnswers;
  /** The name of its user: the same seed gives the same users, and so the same ids. */
  readonly #person: string;
  readonly #persona?: Persona;

  constructor(
    readonly vigil: Vigil,
    readonly of: TrialName,
    seed: string,
    ask?: AskAndCount,
  ) {
    const key = JSON.stringify([seed, of.eval.name, of.case.name, of.trial, of.model]);
    this.#person = createHash('sha256').update(key).digest('hex').slice(0, 16);
    this.#acts = [...(of.case.later ?? [])];
    const { persona } = of.case;
    if (persona !== undefined && ask) this.#persona = new Persona(persona, ask);
    checkFiles(of);
    this.#recording = recordingOf(of);
  }

  /** Whether it needs the table of the cloud, or answers for tools. */
  needsReplay(): boolean {
    const { eval: ofEval, case: ofCase, model } = this.of;
    return [ofCase.from, ofCase.tools, ofEval.instructions, model].some((one) => one !== undefined);
  }

  /**
   * Says the first message. A recording begins later, on the weekday and at the time of its step.
   *
   * @param replay of a trial that needs it.
   */
  async begin(now: number, replay?: Replay): Promise<void> {
    const { claims, groups, timeZone, tools, live } = this.of.case;
    this.#user = await this.vigil.user(this.#person, groups, claims);
    if (timeZone) await this.#user.request('PUT', '/settings', { timeZone });
    this.#replay = replay;
    const found = this.#recording;
    if (found) {
      const weeks = Math.ceil((now - found.place.at) / weekMs);
      const [recording, at] = [weeksLater(found.recording, weeks), found.place.at + weeks * weekMs];
      this.#begins = { recording, place: { ...found.place, at }, at };
    }
    if (tools || found) {
      this.#answers = new ToolAnswers({ tools, live, from: this.#begins });
      replay?.answer(this.#user.id, this.#answers);
    }
    if (!found) await this.#begin(now);
  }

  async #begin(now: number): Promise<void> {
    this.#actedAt = now;
    if (this.#begins) await this.#fork(this.#begins, now);
    else await this.#attempt('the first message', () => this.#sayFirst(now));
  }

  async #fork(begins: Begins, now: number): Promise<void> {
    const { says, claims } = this.of.case;
    const forks = { user: this.#user.id, says, claims, ...this.#replaced() };
    const { id, first } = await forkRecording(this.#replay!.table, begins, forks, new Date(now));
    this.#first = first;
    this.#seen = await this.#user.read(id);
  }

  async #sayFirst(now: number): Promise<void> {
    const { agent } = this.of.eval;
    const { client, id: user } = this.#user;
    const { files = [] } = this.of.case;
    const text = this.of.case.says ?? (await this.#persona?.next());
    const over = text === undefined ? 'persona: it has not begun the conversation' : this.#overLimit();
    if (text === undefined || over) return void (await this.#end(over));
    const first = { text, ...(files.length > 0 && { files: await Promise.all(files.map(fileAt)) }) };
    const replaced = this.#replaced();
    if (Object.values(replaced).every((one) => one === undefined)) {
      this.#seen = await client.start({ agent, ...first });
      return;
    }
    const id = await conversationWith(this.#replay!.table, { user, agent, says: text, ...replaced }, new Date(now));
    await client.conversation(id).send(first);
    this.#seen = await this.#user.read(id);
  }

  #replaced(): Replaced {
    return { instructions: this.of.eval.instructions, model: this.of.model };
  }

  /** Takes the next act, if it is due, or ends. @returns whether anything was done. */
  async turn(now: number): Promise<boolean> {
    if (!this.#seen) {
      if (now < this.#begins!.at) return false;
      await this.#begin(now);
      return true;
    }
    const seen = await this.#user.read(this.#seen.id);
    this.#seen = seen;
    const over = this.#overLimit();
    if (over) return this.#end(over);
    const [act] = this.#acts;
    const due = this.#dueAct();
    const deed = act && deedOf(act, seen);
    const isFirst = deed && (due === undefined || isDecision(act));
    if (!isFirst && this.#persona?.isNext(seen)) {
      this.#actedAt = now;
      await this.#attempt('persona', () => this.#speak(this.#persona!, seen));
      return true;
    }
    if (!act) return isAtRest(seen) && this.#end();
    if (due === undefined ? isBusy(seen) : now < due) return false;
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

  async #speak(persona: Persona, { id }: Conversation): Promise<void> {
    const whole = await wholeConversation(this.#user.client.api, id);
    const words = await persona.next(whole);
    if (words === undefined) return;
    const over = this.#overLimit();
    if (over) return void (await this.#end(over));
    const deed = deedOf({ answer: words }, whole) ?? deedOf({ says: words }, whole)!;
    await deed(this.#user, (group) => this.vigil.user(`${this.#person}.${group}`, [group]));
  }

  /** The time at which it is to be looked at again. */
  dueAt(): number | undefined {
    if (!this.#seen) return this.#begins?.at;
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
  /** What the agent has said and done in this trial: without what was recorded before the step at which it begins. */
  get judged(): Conversation | undefined {
    const [whole, begins] = [this.#recorded, this.#begins];
    if (!begins || !whole) return whole;
    const before = new Set(begins.recording.conversation.calls.map(({ id }) => id));
    return {
      ...whole,
      messages: whole.messages.filter(({ role, seq }) => role !== 'assistant' || seq >= this.#first),
      calls: whole.calls.filter(({ id }) => !before.has(id)),
    };
  }
  /** The calls of tools, if the case says who answers them. Those of one reply run at once, so their order says nothing. */
  get answered(): AnsweredCall[] | undefined {
    const place = (call: AnsweredCall) => JSON.stringify([call.tool, call.arguments, call.by]);
    return this.#answers?.calls.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  }
  used(): Used {
    const usage = (this.#recorded ?? this.#seen)?.usage;
    return {
      steps: usage?.modelCalls ?? 0,
      tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
      costMicrodollars: usage?.costMicrodollars ?? 0,
    };
  }
  /** What the persona has said and used, if there is one. */
  get persona(): PersonaShown | undefined {
    return this.#persona?.shown;
  }
  /** The money that its agent and its persona have used. */
  costMicrodollars(): number {
    return this.used().costMicrodollars + (this.persona?.used.costMicrodollars ?? 0);
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
    const { steps } = this.used();
    const used = { steps, turns: this.persona?.turns ?? 0, costMicrodollars: this.costMicrodollars() };
    const what = (['steps', 'turns', 'costMicrodollars'] as const).find((one) => used[one] > most[one]);
    return what && `stopped: it used ${used[what]} ${what}, more than its limit of ${most[what]}`;
  }

  /** A refusal of the API is the case's problem, and so is a persona that does not answer. Anything else is the cloud's. */
  async #attempt(what: string, deed: () => Promise<unknown>): Promise<void> {
    try {
      await deed();
    } catch (error) {
      if ((error as Error).name !== 'JudgeFailed') onlyRefused(error);
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

/** @throws ConfigurationError that names the case. */
function checkFiles({ eval: { name }, case: { name: ofCase, files = [] } }: TrialName): void {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new ConfigurationError(`Eval ${name}: ${ofCase}: the file ${missing} does not exist.`);
}

async function fileAt(path: string): Promise<File> {
  const bytes = readFileSync(path);
  return new File([bytes], basename(path), { type: await mediaTypeOf(bytes, 'application/octet-stream') });
}

/** @throws ConfigurationError that names the case. */
function recordingOf({ eval: { name }, case: { name: ofCase, from } }: TrialName): Omit<Begins, 'at'> | undefined {
  if (!from) return undefined;
  try {
    const recording = readRecording(from.recording);
    return { recording, place: placeIn(recording, from.step, from.run) };
  } catch (error) {
    throw new ConfigurationError(`Eval ${name}: ${ofCase}: ${(error as Error).message}`);
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
