import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionListItem, HistoryEvent, SFNClient } from '@aws-sdk/client-sfn';
import { checkOptions, fields, flag, number, optional } from '../../core/base/schemas/definition';
import type { FinishedEvent } from '../../core/people/live/events';
import { signIn, type User } from '../../test/support/api-client';
import { executionsOf, historyOf, statesEntered } from '../../test/support/history';
import type { ModelServer } from '../../test/support/servers/model-server';
import type { CloudProcess } from './cloud-process';
import { checkFault, type Fault } from './fault';

/** How the clock is moved. */
export interface MoveOptions {
  /** Goes to the end at once, as after an outage: what is due on the way happens late. */
  jump?: boolean;
  /**
   * How long running functions may take, in real milliseconds, before the clock moves on: 30,000 at each stop, 1,500
   * before a jump.
   */
  withinMs?: number;
}

/** An app that runs for a story, with a scripted model. */
export interface Vigil extends AsyncDisposable {
  /** The address of the API. It stays the same after a restart. */
  readonly url: string;
  /** The model of all agents. Its `requests` are what the agents sent. */
  readonly model: ModelServer;
  /** Signs a user in. Names are free. The token has these groups, and these other claims. */
  user(name?: string, groups?: string[], claims?: Record<string, string>): Promise<User>;
  /** Returns the moved clock's time. */
  now(): Promise<Date>;
  /**
   * Moves the clock by an ISO 8601 duration, such as `P1D`. Whatever is due on the way happens at its time: the clock
   * stops there until nothing runs.
   */
  advance(duration: string, options?: MoveOptions): Promise<void>;
  /** Moves the clock to a later time, in the same way. */
  advanceTo(time: Date | string, options?: MoveOptions): Promise<void>;
  /** Moves the clock step by step, by default a minute, until the condition holds. @throws after 120 steps. */
  advanceUntil(holds: () => boolean | Promise<boolean>, step?: string): Promise<void>;
  /** Orders a fault. */
  fault(fault: Fault): Promise<void>;
  /** Removes all faults that have not happened. */
  clearFaults(): Promise<void>;
  /** Kills the whole cloud as by kill -9. The model goes on. */
  kill(): Promise<void>;
  /** Waits until a fault has killed the cloud. */
  killed(): Promise<void>;
  /** Starts it again on its state, after a kill. */
  restart(): Promise<void>;
  /** Returns the executions of a run's segments, in order. */
  executions(runId: string): Promise<ExecutionListItem[]>;
  /** Returns the executions once all have ended. A run is done in its last step, its execution a moment later. */
  ended(runId: string): Promise<ExecutionListItem[]>;
  /** Returns the histories of all segments, one after the other. */
  history(runId: string): Promise<HistoryEvent[]>;
  /** Returns the history of each segment. */
  histories(runId: string): Promise<HistoryEvent[][]>;
  /** Returns the names of the states that a run has entered, in order. AWS bills these transitions. */
  states(runId: string): Promise<string[]>;
  /** Returns every event put on the event bus, with repeats. */
  events(): PublishedEvent[];
  /** Returns everything that the functions have logged. */
  logs(): string;
  /** Returns what the cloud has said since it was started. */
  terminal(): string;
  /** Stops it, and removes its state. */
  stop(): Promise<void>;
}

export type PublishedEvent = {
  bus: string;
  source: string;
  time: string;
  'detail-type': FinishedEvent['detailType'];
} & Pick<FinishedEvent, 'detail'>;

/** The parts that a story needs of the cloud that it runs on. */
export interface Stage {
  readonly cloud: Pick<CloudProcess, 'url' | 'terminal'>;
  readonly stepFunctions: SFNClient;
  readonly model: ModelServer;
  /** The cloud's state directory. */
  state: string;
  /** The ARN of the agent loop. */
  agentLoop: string;
  /** Returns the id of the user that the story calls by this name. */
  idOf(name: string): string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const moveOptions = fields<MoveOptions>({ jump: optional(flag), withinMs: optional(number) });
const mostSteps = 120;
const hungMs = 1_500;
const killedWithinMs = 90_000;

export function vigilOf(stage: Stage): Vigil {
  const { model, state } = stage;
  const loggedBefore = sizesOf(join(state, 'logs'));
  const publishedBefore = linesOf(join(state, 'events.jsonl')).length;
  let saidBefore = statSync(stage.cloud.terminal).size;

  async function local<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, body: body && JSON.stringify(body) };
    const answer = await fetch(`${stage.cloud.url}/_local/${path}`, init);
    if (!answer.ok) throw new Error(((await answer.json()) as { detail: string }).detail);
    return (await answer.json()) as Answer;
  }
  const now = async () => new Date((await local<{ now: string }>('GET', 'clock')).now);
  async function move(by: object, options: MoveOptions = {}): Promise<void> {
    checkOptions('advance', options, moveOptions);
    type LocalTime = { movingTo?: string };
    let time = await local<LocalTime>('POST', 'clock', { ...by, ...options });
    for (; time.movingTo; time = await local<LocalTime>('GET', 'clock')) await sleep(250);
  }
  const advance = (duration: string, options?: MoveOptions) => move({ advance: duration }, options);

  const executions = (runId: string) => executionsOf(stage.stepFunctions, stage.agentLoop, runId);
  async function ended(runId: string) {
    for (let attempt = 0; ; attempt++) {
      const all = await executions(runId);
      if (attempt === 2_000 || all.every(({ status }) => status !== 'RUNNING')) return all;
      await sleep(10);
    }
  }
  const histories = async (runId: string) =>
    Promise.all((await executions(runId)).map(({ executionArn }) => historyOf(stage.stepFunctions, executionArn!)));
  const history = async (runId: string) => (await histories(runId)).flat();

  return {
    get url() {
      return stage.cloud.url;
    },
    model,
    user: (name = 'ada', groups, claims) => signIn(stage.cloud.url, stage.idOf(name), groups, claims),
    now,
    advance,
    advanceTo: (time, options) => move({ to: new Date(time).toISOString() }, options),
    async advanceUntil(holds, step = 'PT1M') {
      for (let steps = 0; steps < mostSteps; steps++) {
        if (await holds()) return;
        // What hangs is to time out.
        await advance(step, { withinMs: hungMs });
        await sleep(50);
      }
      throw new Error(`The condition did not hold within ${mostSteps} steps of ${step}.`);
    },
    async fault(fault) {
      checkFault(fault);
      await local('POST', 'faults', fault);
    },
    clearFaults: async () => void (await local('DELETE', 'faults')),
    kill: () => stage.kill(),
    async killed() {
      for (const end = Date.now() + killedWithinMs; Date.now() < end; await sleep(25))
        if (!(await now().then(Boolean, () => false))) return stage.kill();
      throw new Error('The cloud is still up: the fault has not happened.');
    },
    async restart() {
      saidBefore = 0;
      await stage.restart();
    },
    executions,
    ended,
    history,
    histories,
    states: async (runId) => statesEntered(await history(runId)),
    events: () =>
      linesOf(join(state, 'events.jsonl'))
        .slice(publishedBefore)
        .map((line) => JSON.parse(line) as PublishedEvent),
    logs: () => {
      const folder = join(state, 'logs');
      return [...sizesOf(folder).keys()]
        .map((file) =>
          readFileSync(join(folder, file))
            .subarray(loggedBefore.get(file) ?? 0)
            .toString(),
        )
        .join('');
    },
    terminal: () => readFileSync(stage.cloud.terminal).subarray(saidBefore).toString(),
    stop: () => stage.stop(),
    [Symbol.asyncDispose]: () => stage.stop(),
  };
}

const sizesOf = (folder: string): Map<string, number> =>
  new Map(existsSync(folder) ? readdirSync(folder).map((file) => [file, statSync(join(folder, file)).size]) : []);

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
