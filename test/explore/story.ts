import { isDeepStrictEqual } from 'node:util';
import { filesOfItem } from '../../core/base/content/items';
import { free } from '../../core/base/models/price-list';
import { modelsOf } from '../../core/base/models/provider';
import type { AskRequest, CancelReply, LoopInput, ToolRequest } from '../../core/base/state/loop-state';
import type { RollbackInput } from '../../core/base/state/rollback-state';
import { noUsage } from '../../core/base/state/schemas';
import type { TimerInput } from '../../core/base/state/timer-state';
import type { Counts } from '../../core/base/state/user-limits';
import {
  AlreadyAnswered,
  InvalidInput,
  LimitReached,
  ModelRejected,
  ModelThrottled,
  ModelUnavailable,
  NotAllowed,
  NotFound,
  WrongState,
} from '../../core/base/text/errors';
import type { Agent } from '../../core/conversations/agent/agent';
import type { Caller } from '../../core/conversations/agent/approvers';
import type { DeploymentLimits } from '../../core/conversations/agent/limits';
import type { ModelRequest, Reply } from '../../core/conversations/agent/model';
import { type FunctionTool, personToolName } from '../../core/conversations/agent/tool';
import { assign } from '../../core/conversations/approvals/assign';
import { noteDeciders } from '../../core/conversations/approvals/known-deciders';
import { approve } from '../../core/conversations/conversation/approve';
import { cancelRun } from '../../core/conversations/conversation/cancel';
import { markDeleted } from '../../core/conversations/conversation/delete';
import { deliver } from '../../core/conversations/conversation/deliver';
import { forkConversation } from '../../core/conversations/conversation/fork';
import { retryRun } from '../../core/conversations/conversation/retry';
import { type SentMessage, sendMessage } from '../../core/conversations/conversation/send-message';
import type { SentPart } from '../../core/conversations/files/references';
import type { Person } from '../../core/conversations/members/role';
import type { StoredTodos } from '../../core/conversations/rows/todo';
import { createConversation } from '../../core/conversations/runs/conversation';
import { LogReader, readLog } from '../../core/conversations/runs/log';
import type { Table } from '../../core/conversations/store/table';
import { cancelTimer, changeTimer, type TimerChange } from '../../core/conversations/timers/change-timer';
import { advance, type Loop } from '../../core/machines/loop/advance';
import { runTool } from '../../core/machines/loop/run-tool';
import { readOpenRows } from '../../core/machines/reconcile/sweep';
import { endOf } from '../../core/machines/rollback/execution-end';
import { nextUndo } from '../../core/machines/rollback/rollback';
import { settleExecution } from '../../core/machines/rollback/settle-execution';
import { undoTool } from '../../core/machines/rollback/undo-tool';
import { cancelReply } from '../../core/machines/step/await-reply';
import { fireTimer, runTimer } from '../../core/machines/timers/fire-timer';
import { arrangeConversation } from '../../core/people/finding/arrange';
import { generateTitle } from '../../core/people/finding/generate-title';
import { type CancelElsewhere, keepToken } from '../../lambdas/executions';
import { reconcileRow } from '../../lambdas/reconcile/reconcile-row';
import { actingAtOnce, actOnRow } from '../../lambdas/todos';
import type { Notice } from '../../modules/notices/notice';
import { functionId } from '../../statemachines/function-id';

import { Absences, callers, desk, deskAndStandIns, owner } from './absences';
import { Clients } from './clients';
import { Damage } from './damage';
import { type Deployment, deploymentCount, deploymentOf, isGuarded } from './deployment';
import { flood } from './flood';
import { unheardIn } from './guards';
import { guest, Members, mia } from './members';
import { type Journal, named, type Row } from './memory-table';
import { Notices } from './notices';
import { oddly } from './odd-reply';
import { Provider } from './provider';
import type { Random } from './random';
import { Soon } from './soon';
import { type LambdaFunction, machineArn, StepFunctions } from './step-functions';
import { TakeOvers } from './take-overs';
import { Titles } from './titles';
import { featuresOf } from './tools';
import { most, UserFiles } from './user-files';
import { Waits } from './waits';
import { Watchers } from './watchers';
import { type Invocation, isForRelay, type Ledger, World } from './world';

/** All that one exploration has seen, for the promises to be held against. */
export interface Seen {
  provider: Provider;
  world: World;
  ledger: Ledger;
  rows: Row[];
  /** What users were told is stored, by conversation. */
  accepted: { conversationId: string; text: string }[];
  /** Model calls begun, by conversation, with the turn in which they were. */
  modelCalls: { conversationId: string; deleted: boolean }[];
  deleted: Set<string>;
  /** Replies that were paid and thrown away because the table's answer was lost. */
  wasted: string[];
  /** What is wrong with the notices on the user's devices. */
  notices: string[];
  titles: Titles;
  /** Conversations whose model was asked sooner than its server allowed. */
  tooSoon: string[];
  /** Words that models have read although a guard keeps them from models. */
  heard: string[];
  /** Whether replies were checked by a guard. */
  isGuarded: boolean;
  /** Conversations that waited for a model while the next one of their agent might have been asked. */
  idle: string[];
  /** Steps that were counted on another day, too, because an attempt may have been made on each. */
  reservedAgain: number;
  /** Stream records that have never come. */
  lost: number;
  /** What should have followed soon, and had not when all was at rest. */
  late: ReadonlySet<string>;
  /** The executions that have not ended when all is at rest. */
  executions: string[];
  /** What is wrong with decisions, also those in the place of who is absent. */
  decisions: readonly string[];
  /** What is wrong with those with whom conversations are shared. */
  members: string[];
  /** What is wrong with the files of the user. */
  files: string[];
  /** What is wrong with what runs wait for. */
  waits: string[];
  /** What is wrong with what clients were told of the messages that they have sent. */
  clients: readonly string[];
  /** What is wrong with what has left by sockets. */
  watchers: readonly string[];
  /** The conversations whose log cannot be read, and why. */
  unreadable: string[];
}

const { user } = owner;
const isUpToDesk = ({ sk, decider, status, copiedFrom }: Row): boolean =>
  sk.startsWith('CALLBACK#') && decider === 'group:desk' && status === 'pending' && !copiedFrom;
/** Whether a step is reserved on another day, although an attempt of it may have been made on the day before, where it stays counted. */
function isReservedAgain({ reserved }: Row, before: Row | undefined): boolean {
  const [was, is] = [before?.reserved, reserved].map((text) => text && (JSON.parse(String(text)) as { on: string }).on);
  return was !== undefined && is !== undefined && was !== is;
}
/** Whether others work on a call of the tool, or decide about it. */
function takesLong(tool: string): boolean {
  const { approval, webhook, isTask } = featuresOf(tool) ?? {};
  return Boolean(approval || webhook || isTask);
}
/** Some are reached, and all are counted. */
const atMost: Partial<Counts> = { runs: 4, subAgents: 2, conversations: 5, timers: 3 };

const isOfAFault = ({ name }: Error): boolean =>
  /^(Lambda\.Unknown|States\.Timeout|Throttl|Internal|Timeout)/.test(name);

const isTitle = ({ instructions }: Agent): boolean => String(instructions).startsWith('You name');

/** Most are about what is common; rare themes have schedules of their own. */
const themes = [
  ...(['all', 'all', 'all', 'family', 'family', 'forks', 'forks', 'files', 'files', 'absences', 'absences'] as const),
  ...(['members', 'members', 'people', 'people', 'clients', 'floods', 'failures', 'failures', 'damage'] as const),
];

/** Plays one schedule to its end. */
export async function play(random: Random, journal?: Journal): Promise<Seen> {
  const world = new World(random, random.below(6), journal);
  const { ledger } = world;
  const number = random.below(deploymentCount);
  /** From then on, functions and state machines become those of the second version, one by one. */
  const rollout = random.chance(0.15) ? world.time + random.below(60_000) : Number.POSITIVE_INFINITY;
  const versionNow = (): 1 | 2 => {
    if (world.time < rollout) return 1;
    return world.time < rollout + 60_000 ? random.pick([1, 2] as const) : 2;
  };
  const versions = new WeakMap<Invocation, Deployment>();
  /** The code that an invocation runs. */
  function codeOf(invocation: Invocation): Deployment {
    const code = versions.get(invocation) ?? deploymentOf(number, versionNow());
    versions.set(invocation, code);
    return code;
  }
  // Far from the limit a run reserves several steps at once, and close to it one.
  const limits: DeploymentLimits = {
    month: { steps: random.pick([1_000, 1_000, 40, 14]) },
    subAgentsOfRun: 3,
    counts: atMost,
  };
  const provider = new Provider(world);
  const files = new UserFiles(world, user);
  const inBackground = number % 4 === 2;
  const seen: Seen = {
    provider,
    world,
    ledger,
    rows: [],
    accepted: [],
    modelCalls: [],
    deleted: new Set(),
    wasted: [],
    notices: [],
    titles: new Titles(),
    tooSoon: [],
    heard: [],
    isGuarded: isGuarded(number),
    idle: [],
    reservedAgain: 0,
    lost: 0,
    late: new Set(),
    executions: [],
    decisions: [],
    members: [],
    files: [],
    waits: [],
    clients: [],
    watchers: [],
    unreadable: [],
  };
  const said = new Map<string, number>();
  const notices = new Notices(world, user);
  const hasDevices = random.chance(0.25);
  if (hasDevices) await notices.register();
  /** Until when a model is not to be asked, by conversation and model, since the loop knows that. */
  const pauses = new Map<string, number>();
  const waits = new Waits(world);
  const damage = new Damage(world);
  const watchers = new Watchers(world);
  seen.watchers = watchers.broken;
  /** When a model last failed, by conversation and model. */
  const failures = new Map<string, number>();
  /** Some models are down for hours. */
  const outage = random.chance(0.08) && {
    models: random.pick([['m'], ['m'], ['m', 'n']]),
    from: world.time + random.below(60_000),
    ms: 3_600_000 * (1 + random.below(3)),
  };
  const isDown = (model: string): boolean =>
    outage !== false &&
    outage.models.includes(model) &&
    world.time >= outage.from &&
    world.time < outage.from + outage.ms;
  /** A run waits for a minute and more, although its agent's next model has not failed for long. */
  const noteIdle = (agents: Deployment['agents'], conversationId: string, until: string): void => {
    const { run } = (world.table.row({ pk: `C#${conversationId}`, sk: 'META' }) ?? {}) as { run?: { agent: string } };
    const models = modelsOf(agents.get(run?.agent ?? '')!.model).map(({ name }) => `${conversationId} ${name}`);
    const isLong = Date.parse(until) > world.time + 90_000;
    const hasFailed = (who: string) => (failures.get(who) ?? 0) > world.time - 1_200_000;
    if (isLong && models.some((who) => !hasFailed(who))) seen.idle.push(conversationId);
  };
  /** The process that commits acts at once, or leaves it to Relay. */
  const isDriven = random.chance(0.7);

  /** What this schedule is about most of all: rare things have to come together. */
  const theme = random.pick(themes);
  const replyFor = ({ name, tools }: Agent, conversationId: string): Reply => {
    const times = (said.get(conversationId) ?? 0) + 1;
    said.set(conversationId, times);
    if (times > 5 || random.chance(0.3)) {
      return { text: name === 'asking' && times < 5 ? 'Which one?' : `Done ${times}. THE END`, toolCalls: [] };
    }
    // Now and then a model asks for far more than anybody expects.
    const isMuch = random.chance(0.02);
    const count = isMuch ? 40 : 1 + random.below(3);
    if (isMuch) world.count('asks for forty calls');
    const toolCalls = Array.from({ length: count }, (_, index) => {
      const asksHelp = (theme === 'family' && random.chance(0.4)) || (theme === 'files' && random.chance(0.2));
      const isDecided = theme === 'absences' && random.chance(0.6);
      const isLong = theme === 'failures' && random.chance(0.6);
      const isForPerson = theme === 'people' && random.chance(0.5);
      const isOfFiles = theme === 'files' && random.chance(0.6);
      const tool =
        (asksHelp && tools.find(({ name }) => name === 'delegate')) ||
        (isLong && random.pick(tools.filter(({ name, kind }) => kind === 'delegate' || takesLong(name)))) ||
        (isForPerson && tools.find(({ kind }) => kind === 'person')) ||
        (isDecided && random.pick(tools.filter(({ name }) => featuresOf(name)?.approvers))) ||
        (isOfFiles && random.pick(tools.filter(({ name }) => /_(?:read|write)$/.test(name)))) ||
        random.pick(tools);
      const args = argumentsFor(tool.name, conversationId);
      world.count(`asks for ${tool.name}`);
      return { id: `c${times}${index}`, name: tool.name, arguments: JSON.stringify(args) };
    });
    return { text: '', toolCalls };
  };
  const argumentsFor = (tool: string, conversationId: string): object => {
    if (tool === 'delegate') return { agent: 'helper', task: `Help.${taskWithFile()}` };
    if (tool.endsWith('_read')) return { file: files.idFor(conversationId) ?? `f_${'A'.repeat(43)}` };
    if (tool === 'schedule') return { at: later(60) };
    if (tool === personToolName) return { group: 'desk', reason: 'They want a person.' };
    return tool.startsWith('hand_off') ? { reason: 'Yours.' } : {};
  };
  const taskWithFile = (): string => {
    const id = random.chance(theme === 'files' ? 0.8 : 0.3) ? files.someId() : undefined;
    return id ? ` The file is ${id}.` : '';
  };
  const later = (seconds: number) => new Date(world.time + seconds * 1_000).toISOString();

  const functions = {
    async CallModel(invocation: Invocation, input: LoopInput | CancelReply) {
      const table = world.tableOf(invocation);
      const { conversationId } = 'cancelReply' in input ? input.cancelReply : input;
      let replied = false;
      // An attempt that is under way when another one is told to wait hears of it too late.
      const known = new Map(pauses);
      /** The model that fails in this attempt, and until when it is not to be asked. */
      let told: { who: string; until: number; isOnly: boolean } | undefined;
      // One that is under way when it is deleted ends for nothing.
      const deleted = seen.deleted.has(conversationId);
      /** What the adapters note in the rows of a request's files. Each note may be the last thing that the process does. */
      const readFiles = async ({ items, reading }: ModelRequest): Promise<void> => {
        for (const file of items.flatMap(filesOfItem)) {
          if (!reading || !random.chance(0.3)) continue;
          if (random.chance(0.5)) {
            const isRead = await reading.begin(file);
            if (isRead) await reading.end(file);
            else reading.tell(file, { isRead, words: 'it has ended its reader' });
          } else if ((await reading.refusal(file)) === undefined) {
            world.count('refused files');
            await reading.refused(file, 'It is refused.');
          }
        }
      };
      const loop: Loop = {
        table,
        logs: new LogReader(table),
        registry: codeOf(invocation),
        now: world.clock(),
        limits,
        deadline: new AbortController().signal,
        ...(theme === 'members' && { deltas: watchers.deltasOf(invocation) }),
        model: {
          about: ({ model: { name } }) => ({ model: name, maker: name, price: free }),
          cancel: ({ id }) => provider.cancel(id, invocation),
          reply: async (request) => {
            await readFiles(request);
            return inBackground && request.background && !isTitle(request.agent)
              ? provider.reply(request.background, invocation, () => {
                  seen.modelCalls.push({ conversationId, deleted });
                  seen.heard.push(...unheardIn(request));
                  return replyFor(request.agent, conversationId);
                })
              : (world.request('the model replies', invocation, ['dies-before', 'dies-after', 'zombie'], () => {
                  const { agent, onText } = request;
                  if (isTitle(agent)) {
                    seen.titles.ask(conversationId);
                    if (world.mayFail(0.2)) {
                      seen.titles.fail();
                      throw named('ModelUnavailable');
                    }
                    return { text: 'A title', toolCalls: [], usage: { ...noUsage, modelCalls: 1, inputTokens: 10 } };
                  }
                  seen.modelCalls.push({ conversationId, deleted });
                  seen.heard.push(...unheardIn(request));
                  const { name } = agent.model;
                  const who = `${conversationId} ${name}`;
                  // Clocks differ.
                  if (world.time + 6_000 < (known.get(who) ?? 0)) seen.tooSoon.push(conversationId);
                  const isOnly = modelsOf(codeOf(invocation).agents.get(agent.name)!.model).length === 1;
                  const failing = (until = 0) => {
                    told = { who, until, isOnly };
                    failures.set(who, world.time);
                  };
                  if (isDown(name)) {
                    world.count(`${name} is down`);
                    failing();
                    throw new ModelUnavailable('Down.');
                  }
                  if (random.chance(0.03)) {
                    const notBefore = new Date(world.time + 1_000 * random.pick([1, 30, 600]));
                    failing(notBefore.getTime());
                    throw new ModelThrottled('Busy.', { notBefore });
                  }
                  if (random.chance(0.01)) {
                    world.count('no credit');
                    failing();
                    throw new ModelThrottled('No credit.', { isLasting: true });
                  }
                  if (random.chance(0.02)) {
                    world.count('too long');
                    throw new ModelRejected('Too long.', {
                      tooLong: random.pick([{}, { most: 60 }, { most: 4_000, needed: 5_000 }]),
                    });
                  }
                  if (random.chance(0.04)) throw named('ModelRejected');
                  if (world.mayFail(0.05)) {
                    failing();
                    throw named('ModelUnavailable');
                  }
                  const reply = replyFor(agent, conversationId);
                  pauses.delete(who);
                  world.count(`${name} replies`);
                  replied = true;
                  if (random.chance(0.1)) {
                    world.count('odd replies');
                    return oddly(random, reply, request);
                  }
                  // The first sentence is written before the reply is committed.
                  onText(`Let me see. ${reply.text}`);
                  // Some replies use more than their step has reserved.
                  const inputTokens = random.pick([10, 10, 7_000]);
                  return { ...reply, usage: { ...noUsage, modelCalls: 1, inputTokens } };
                }) as never);
          },
        },
      };
      if ('cancelReply' in input) return cancelReply(loop, input.cancelReply);
      const answered = advance(loop, input).then(async (output) => {
        const waits = output.call?.callId === 'model' ? output.call.until! : undefined;
        // The only model of its agent is not asked before the run wakes; another one as its server has said.
        if (told) pauses.set(told.who, told.isOnly && waits ? Date.parse(waits) : told.until);
        if (waits) noteIdle(codeOf(invocation).agents, conversationId, waits);
        if (output.next === 'done') await generateTitle(loop, conversationId).catch(() => undefined);
        return output;
      });
      return answered.catch((error: Error) => {
        if (replied && /^(TimeoutError|InternalServerError)$/.test(error.name)) seen.wasted.push(conversationId);
        throw error;
      });
    },
    Ask: (invocation: Invocation, request: AskRequest) =>
      keepToken(machines.client(invocation), world.tableOf(invocation), request, world.clock()()),
    Settle: async (invocation: Invocation, event: { timer?: TimerInput; rollback?: RollbackInput }) => {
      const { timer, rollback } = event;
      if (timer) return fireTimer(world.tableOf(invocation), codeOf(invocation).agents, timer, world.clock()());
      if (rollback) return nextUndo(world.tableOf(invocation), codeOf(invocation), rollback, world.clock()());
      const { input, by, error, reason } = endOf(event);
      await settleExecution(world.tableOf(invocation), codeOf(invocation), input, { by, reason }, world.clock()());
      return { Error: error, Cause: reason };
    },
    Notify: (invocation: Invocation, event: unknown) => notices.deliver(invocation, event),
  };
  const serve = (name: string) => async (invocation: Invocation, request: ToolRequest) => {
    const tool = codeOf(invocation).tools.get(name) as FunctionTool | undefined;
    if (!tool) throw named('Lambda.ResourceNotFoundException');
    const bench = {
      table: world.tableOf(invocation),
      now: world.clock(),
      atMost,
      webhookUrl: async () => 'https://webhook.example',
      files: { store: files.storeOf(invocation), most },
    };
    try {
      await (request.undo ? undoTool : runTool)(bench, tool, request);
    } catch (error) {
      const { name: kind } = error as Error;
      throw /^(ToolFailed|ToolTerminal|ConfigurationError)$/.test(kind) ? error : named('ToolFailed');
    }
  };
  const tools = ([1, 2] as const).flatMap((version) =>
    [...deploymentOf(number, version).tools.values()].filter((tool) => tool.kind === 'function'),
  );
  const machines = new StepFunctions(
    world,
    () => deploymentOf(number, versionNow()).programs,
    new Map<string, LambdaFunction>([
      ...Object.entries(functions),
      ...tools.map((tool): [string, LambdaFunction] => [functionId(tool.name), serve(tool.name)]),
    ]),
  );

  /** How often the table was restored, with nothing that ran, and when. */
  let restores = 0;
  let restoredAt = '';
  function restore(): void {
    world.count('restores');
    restores += 1;
    restoredAt = new Date(world.time).toISOString();
    machines.vanish();
    // It has a new stream, without records of what was written before.
    soon.noteRestore(world.table.rows());
  }

  const soon = new Soon(world.table, machines);
  seen.late = soon.broken;
  world.whenAllRests = () => soon.hold();

  // The relay: records come late, twice and out of order, and again until it has done its work.
  world.table.onWrite((row, before) => {
    soon.note(row);
    if (Number(row.parts) > 1) world.count('result of several rows');
    if (row.kind === 'repeat' && row.status === 'active') {
      if (Number(row.segmentFired) >= 2) world.begin(() => endTimer(row));
      else if (Number(row.segmentFired) === 1 && Number(before?.segmentFired) === 0)
        world.begin(() => changeItsTimer(row));
    }
    seen.titles.note(row, before);
    absences.note(row, before);
    waits.note(row, before);
    if (theme === 'members') watchers.note(row, before);
    members.note(row, before);
    takeOvers.note(row, before);
    if (theme === 'absences' && isUpToDesk(row) && (!before || row.decisions !== before.decisions))
      world.begin(() => leaveFrom(row));
    if (theme === 'people' && row.kind === 'person' && !before && !row.copiedFrom) world.begin(() => tend(row));
    if (isReservedAgain(row, before)) seen.reservedAgain += 1;
    // Broadcast leaves out what is damaged.
    for (const notice of hasDevices && !damage.isSpoilt(row) ? notices.of(row, before) : [])
      world.begin(() => broadcast(notice));
    if (!isForRelay(row, before)) return;
    for (const { todo } of (row as unknown as StoredTodos).todos) world.count(`to do ${todo.does}`);
    const twice = world.random.chance(0.1) ? 2 : 1;
    if (world.loses('stream record')) {
      seen.lost += 1;
      soon.noteLoss(row);
    } else for (let time = 0; time < twice; time++) world.begin(() => relay(row));
  });
  /** The stream brings a change again until its notice has begun. */
  async function broadcast(notice: Notice): Promise<void> {
    const streamOf = restores;
    await world.request('the stream tells Broadcast', undefined, [], () => undefined);
    while (streamOf === restores) {
      const isBegun = await machines
        .invoke('Broadcast', (invocation) =>
          notices.begin(machines.client(invocation), world.tableOf(invocation), machineArn('notice'), notice),
        )
        .catch(() => false);
      if (isBegun) return;
      await world.sleepBeforeRepeat(1_000);
    }
  }
  /** An asynchronous invocation, which Lambda repeats. */
  const cancelElsewhere: CancelElsewhere = async (conversationId, { id: callbackId, kind, taskId }) => {
    if (kind !== 'model' && kind !== 'task') return;
    world.begin(async () => {
      for (let attempt = 0; attempt < 3; attempt++) {
        const failed = await machines
          .invoke(kind === 'model' ? 'CallModel' : 'RunIsolated', (invocation) =>
            kind === 'model'
              ? functions.CallModel(invocation, { cancelReply: { conversationId, callbackId } })
              : world.taskServer.cancel(world.tableOf(invocation), taskId!),
          )
          .then(
            () => undefined,
            (error: Error) => error,
          );
        if (!failed) return;
        await world.sleepBeforeRepeat(60_000);
      }
      seen.lost += 1;
    });
  };
  async function relay({ pk, sk }: Row): Promise<void> {
    const streamOf = restores;
    await world.request(`the stream tells of ${sk.split('#')[0]}`, undefined, [], () => undefined);
    // A restored table has a new stream.
    while (streamOf === restores) {
      const failed = await machines
        .invoke('Relay', (invocation) =>
          actOnRow(
            {
              client: machines.client(invocation),
              table: world.tableOf(invocation),
              registry: codeOf(invocation),
              cancelElsewhere,
            },
            { pk, sk },
          ),
        )
        .then(
          () => undefined,
          (error: Error) => error,
        );
      if (!failed) return;
      await world.sleepBeforeRepeat(1_000);
    }
    seen.lost += 1;
  }

  /** A request to the API: it may be refused, and its answer may be lost with the process. @returns whether it was answered. */
  const refusals = [NotAllowed, NotFound, WrongState, AlreadyAnswered, InvalidInput, LimitReached];
  async function api(name: string, work: (table: Table, invocation: Invocation) => Promise<unknown>): Promise<boolean> {
    world.count(`api ${name}`);
    return machines
      .invoke(`Api ${name}`, async (invocation) => {
        const acting = { client: machines.client(invocation), registry: codeOf(invocation) };
        const { table, carryOut } = actingAtOnce({ ...acting, table: world.tableOf(invocation) });
        await work(world.noteTable(table, invocation), invocation);
        if (isDriven) await carryOut();
      })
      .then(
        () => true,
        (error) => {
          const isOfDamage = theme === 'damage' && (error as Error).name === 'UnreadableRow';
          if (isOfDamage || refusals.some((refusal) => error instanceof refusal))
            world.count(`refused ${name} ${(error as Error).name}`);
          else if (!isOfAFault(error as Error)) throw error;
          return false;
        },
      );
  }
  const now = () => world.clock()();
  const absences = new Absences(world, (name, work) =>
    api(name, (table, invocation) => work(table, codeOf(invocation), now())),
  );
  seen.decisions = absences.broken;
  const members = new Members(world, api, user);
  /** Somebody who is to decide about a callback is away. */
  async function leaveFrom({ pk }: Row): Promise<void> {
    await world.sleep(world.time + random.below(random.pick([1, 20_000, 600_000])));
    await absences.go((by) => act(pk.slice('C#'.length), 'approve', by));
  }
  /** Those of a group find a conversation in their queue. */
  async function tend({ pk, id }: Row): Promise<void> {
    const conversationId = pk.slice('C#'.length);
    for (let left = 2 + random.below(7); left > 0; left--) {
      await world.sleep(world.time + random.below(random.pick([1_000, 20_000, 600_000])));
      const callback = callbackOf(conversationId, String(id));
      if (callback) world.begin(() => takeOvers.act(conversationId, callback));
    }
  }

  /** The user has had enough of a recurring timer. */
  async function endTimer({ pk, id }: Row): Promise<void> {
    for (;;) {
      const isDone = await api('cancel-timer', (table) => cancelTimer(table, pk.slice('C#'.length), String(id)));
      if (isDone) return;
    }
  }

  /** The user changes a recurring timer, runs it by hand, or pauses it for a while. */
  async function changeItsTimer(row: Row): Promise<void> {
    const { pk, id: timerId } = row;
    const conversationId = pk.slice('C#'.length);
    const id = String(timerId);
    const changed = (change: TimerChange) =>
      api('change-timer', (table) => changeTimer(table, conversationId, id, change, { user, now: now() }));
    const wish = world.random.pick(['pause', 'rule', 'text', 'run'] as const);
    world.count(`timer ${wish}`);
    if (wish === 'rule') await changed({ times: { every: 'PT2H' }, jitterSeconds: 60 });
    if (wish === 'text') await changed({ text: `Alarm ${id} again`, overlap: 'one' });
    if (wish === 'run')
      for (let attempt = 0; attempt < 2; attempt++)
        await api('run-timer', async (table, invocation) => {
          const asked = { conversationId, timerId: id, user, clientMessageId: `run ${id}` };
          await runTimer(table, codeOf(invocation).agents, asked, now(), atMost);
        });
    if (wish !== 'pause') return;
    await changed({ paused: true });
    await world.sleep(world.time + 7_200_000);
    // Cancelled, if the user does not get through.
    for (let attempt = 0; attempt < 5; attempt++) if (await changed({ paused: false })) return;
    await endTimer(row);
  }

  const tell = async (conversationId: string, text: string, by: Person = user, more: Partial<SentMessage> = {}) => {
    const clientMessageId = `m ${text}`;
    const sent: SentPart[] = [];
    if (by === user && random.chance(theme === 'files' ? 0.5 : 0.2))
      for (let left = theme === 'files' && random.chance(0.3) ? 1 + random.below(3) : 1; left > 0; left--) {
        const file = await files.upload(api, now);
        // A message names each of its files once.
        if (file && !sent.some((one) => isDeepStrictEqual(one, file))) sent.push(file);
      }
    if (sent.length > 1) world.count('several files in a message');
    const parts = sent.length > 0 ? [{ type: 'text' as const, text }, ...sent] : undefined;
    for (let attempt = 0; attempt < 3; attempt++) {
      const stored = await api('say', async (table, invocation) => {
        await sendMessage(
          table,
          codeOf(invocation).agents,
          conversationId,
          { user: by, text, parts, clientMessageId, aside: theme === 'members' && random.chance(0.2), ...more },
          now(),
          atMost,
        );
      });
      if (stored) {
        seen.accepted.push({ conversationId, text });
        return;
      }
    }
  };
  const ofAgents = (name: string, work: (table: Table, agents: Deployment['agents'], at: Date) => Promise<unknown>) =>
    api(name, (table, invocation) => work(table, codeOf(invocation).agents, now()));
  const clients = new Clients(world, ofAgents, (conversationId, text) => seen.accepted.push({ conversationId, text }));
  seen.clients = clients.broken;
  const takeOvers = new TakeOvers(
    world,
    (name, work) => api(name, (table, invocation) => work(table, codeOf(invocation), now(), invocation)),
    (conversationId, { user: by, text, ...more }) => tell(conversationId, text, by, more),
  );
  const openOf = (conversationId: string, kind: string) =>
    world.table
      .rows()
      .filter((row) => row.pk === `C#${conversationId}` && row.sk.startsWith('CALLBACK#'))
      .filter((row) => row.kind === kind && row.status === 'pending')
      // Nobody delivers what was never ordered.
      .filter((row) => kind !== 'webhook' || ledger.booked.has(String(row.callId)))
      .map((row) => String(row.id));
  const callbackOf = (conversationId: string, id: string) =>
    world.table.rows().find(({ pk, sk }) => pk === `C#${conversationId}` && sk === `CALLBACK#${id}`);
  const isWaiting = (conversationId: string): boolean =>
    world.table.row({ pk: `C#${conversationId}`, sk: 'META' })?.status === 'waiting';
  const children = () =>
    world.table
      .rows()
      .filter((row) => row.sk === 'META' && row.parent !== undefined)
      .map((row) => String(row.conversationId));

  /** Reads each conversation as the next step would. */
  async function unreadable(): Promise<string[]> {
    const table = world.aside();
    const all: string[] = [];
    for (const { pk, sk } of world.table.rows())
      if (sk === 'META')
        await readLog(table, pk.slice('C#'.length)).catch((error: Error) => all.push(`${pk}: ${error.message}`));
    return all;
  }

  /** Sweeps as often as there is something to repair. Each sweep comes when Relay has had its time. */
  async function reconcile(): Promise<void> {
    for (let sweep = 0; sweep < 10; sweep++) {
      world.time += 11 * 60_000;
      let repairs = 0;
      const sweepOnce = async (invocation: Invocation) => {
        const table = world.tableOf(invocation);
        const reconciling = {
          client: machines.client(invocation),
          table,
          registry: codeOf(invocation),
          now: now(),
          cancelElsewhere,
          files: files.storeOf(invocation),
          restoredAt,
          dryRun: false,
        };
        const { rows } = await readOpenRows(table, undefined, 1_000);
        for (const row of rows)
          for (const { does, because } of await reconcileRow(reconciling, row)) {
            repairs += 1;
            world.count(`reconcile ${does}`);
            if (seen.lost === 0 && restores === 0 && does !== 'delete' && does !== 'embed')
              throw new Error(`Reconcile repairs what nothing has lost: ${does}, ${because}`);
          }
      };
      world.begin(() =>
        machines.invoke('Reconcile', sweepOnce).catch((error: Error) => {
          if (!isOfAFault(error)) throw error;
          repairs += 1;
        }),
      );
      await world.run();
      if (repairs === 0) return;
    }
    throw new Error('Reconcile finds something to repair in each of ten sweeps.');
  }

  const general = [
    'say',
    'say',
    'say',
    'cancel',
    'cancel',
    'approve',
    'deliver',
    'retry',
    'delete',
    'fork',
    'child',
    'name',
  ] as const;
  const actsOf = {
    all: general,
    family: [...general, 'child', 'child', 'child', 'child', 'break', 'leave', 'leave'] as const,
    forks: [...general, 'fork', 'fork', 'fork'] as const,
    files: [...general, 'say', 'fork', 'child'] as const,
    absences: [...general, 'say', 'say'] as const,
    people: [...general, 'say', 'say', 'take over', 'take over'] as const,
    members: [
      ...general,
      'share',
      'share',
      'share',
      'speak',
      'speak',
      'speak',
      'member cancels',
      'both cancel',
      'member forks',
      'hand over',
      'link',
      'rate',
      'rate',
    ] as const,
    clients: [...general, 'share', 'clients', 'clients', 'clients', 'clients', 'clients'] as const,
    damage: [...general, 'spoil', 'spoil', 'spoil'] as const,
    floods: [...general, 'flood', 'flood'] as const,
    failures: [...general, 'replace', 'replace', 'replace', 'replace', 'replace', 'replace', 'break'] as const,
  };
  const answersOf =
    theme === 'absences' ? (['approve', 'deliver', 'assign'] as const) : (['approve', 'deliver'] as const);
  type Act = (typeof actsOf)[keyof typeof actsOf][number] | (typeof answersOf)[number];
  let serial = 0;
  const act = async (conversationId: string, chosen?: Act, by?: Caller): Promise<void> => {
    const asked = openOf(conversationId, 'approval').length + openOf(conversationId, 'webhook').length > 0;
    const answers = asked && random.chance(0.5);
    const what = chosen ?? random.pick<Act>(answers ? answersOf : actsOf[theme]);
    if (what === 'say') return tell(conversationId, `Word ${++serial}`);
    if (what === 'name') {
      const title = `Named ${++serial}`;
      seen.titles.wish(conversationId, title);
      const isStored = await api(what, (table) => arrangeConversation(table, conversationId, user, { title }));
      if (isStored) seen.titles.keep(conversationId);
      return;
    }
    if (what === 'take over') {
      const [id] = openOf(conversationId, 'person');
      if (id === undefined) return takeOvers.stepIn(conversationId);
      return takeOvers.act(conversationId, callbackOf(conversationId, id)!);
    }
    if (what === 'clients') {
      const clientMessageId = `same ${++serial}`;
      const [callbackId] = openOf(conversationId, 'question');
      const of = (by: Person, text: string) => ({ user: by, text, clientMessageId, callbackId });
      const own = [of(user, `Word ${++serial}`), of(user, `Word ${++serial}`)];
      return clients.sendAll(conversationId, [...own.slice(random.below(2)), of(mia, `Word ${++serial}`)]);
    }
    if (what === 'spoil') {
      for (let left = 20; left > 0 && !isWaiting(conversationId); left--)
        await world.sleep(world.time + random.below(20_000));
      damage.spoil(conversationId);
      return act(conversationId, random.pick(['cancel', 'cancel', 'delete', 'say', 'break', 'approve'] as const));
    }
    if (what === 'flood') {
      await flood(world, ofAgents, conversationId, user);
      return act(conversationId, random.pick(['cancel', 'cancel', 'delete', 'say'] as const));
    }
    if (what === 'share') return members.change(conversationId);
    if (what === 'speak') return tell(conversationId, `Word ${++serial}`, random.pick([mia, mia, guest]));
    if (what === 'member forks') return members.fork(conversationId, now, atMost);
    if (what === 'link') return members.comeByLink(conversationId);
    if (what === 'rate') return members.rate(conversationId);
    if (what === 'hand over') return members.handOver(conversationId, atMost);
    if (what === 'child') {
      const all = children();
      if (all.length === 0) return;
      if (theme === 'family' && random.chance(0.2)) await act(random.pick(all), 'cancel');
      else await tell(random.pick(all), `Word ${++serial}`);
      return;
    }
    if (what === 'leave') {
      for (const next of ['break', 'say', 'delete'] as const) {
        await act(conversationId, next);
        await world.sleep(world.time + random.below(10_000));
      }
      return;
    }
    if (what === 'replace') {
      // A run that waits for something fails, and perhaps a message takes its place.
      for (let left = 20; left > 0 && !isWaiting(conversationId); left--)
        await world.sleep(world.time + random.below(20_000));
      await act(conversationId, 'break');
      await world.sleep(world.time + random.below(random.pick([2_000, 20_000, 600_000])));
      if (random.chance(0.75)) await act(conversationId, 'say');
      return;
    }
    if (what === 'both cancel') {
      for (const by of ['member cancels', 'cancel'] as const) {
        await act(conversationId, by);
        await world.sleep(world.time + random.below(random.pick([1, 20_000, 600_000])));
      }
      return;
    }
    if (what === 'break') {
      const run = world.table.rows().find(({ pk, sk }) => pk === `C#${conversationId}` && sk === 'META')?.run;
      if (run) machines.breakOff((run as { id: string }).id);
      return;
    }
    if (what === 'fork') {
      // Asked for again when its answer was lost, and perhaps otherwise.
      const name = random.pick(['forked', 'forked', 'again forked']);
      for (let attempt = 0; attempt < 4; attempt++) {
        const request = { from: conversationId, id: `${conversationId} ${name}`, user, step: 1 };
        const text = random.pick([undefined, 'Otherwise', 'Or so']);
        const done = await api(what, (table) => forkConversation(table, { ...request, text }, now(), atMost));
        if (done) return;
      }
      return;
    }
    // Several may be asked, and decide one after the other or at once.
    if (what === 'approve' && chosen === undefined)
      for (let more = openOf(conversationId, 'approval').length > 0 ? random.below(5) : 0; more > 0; more--)
        world.begin(async () => {
          await world.sleep(world.time + random.below(random.pick([1, 2_000, 1_800_000])));
          await act(conversationId, 'approve');
        });
    await api(what, async (table, invocation) => {
      if (what === 'cancel' || what === 'member cancels')
        return cancelRun(
          table,
          codeOf(invocation).tools,
          { conversationId, user: what === 'cancel' ? user : mia },
          now(),
        );
      if (what === 'retry') return retryRun(table, conversationId, user, now(), atMost);
      if (what === 'delete') {
        await markDeleted(table, conversationId, user, now());
        seen.deleted.add(conversationId);
        return undefined;
      }
      const [callbackId] = openOf(conversationId, what === 'deliver' ? 'webhook' : 'approval');
      if (!callbackId) return undefined;
      if (what === 'assign') {
        const caller = random.pick(callers);
        const to = random.pick([undefined, ...callers]);
        if (to) await noteDeciders(table, codeOf(invocation), to, now());
        return assign(table, { conversationId, callbackId, ...caller }, { to: to?.user }, now());
      }
      if (what === 'approve') {
        const { asker, decider, standing }: Partial<Row> = callbackOf(conversationId, callbackId) ?? {};
        const isForm = asker !== undefined;
        const caller =
          by ??
          (random.chance(0.15)
            ? random.pick([owner, ...callers])
            : decider === 'group:desk'
              ? random.pick(theme === 'absences' ? deskAndStandIns : desk)
              : owner);
        const offers = standing !== undefined && random.chance(0.8);
        const verdict = random.chance(0.7)
          ? {
              approved: true as const,
              ...(isForm && { arguments: { which: 'this' } }),
              ...(offers && { standing: { calls: 1 + random.below(2), days: 1 } }),
            }
          : { approved: false as const };
        return approve(table, codeOf(invocation), { conversationId, callbackId, ...caller }, verdict, now());
      }
      return deliver(table, codeOf(invocation), { conversationId, callbackId }, 'parcel', now());
    });
  };

  if (random.chance(0.06))
    world.begin(async () => {
      await world.sleep(world.time + random.below(random.pick([20_000, 120_000])));
      restore();
    });
  const agent = random.pick(['merging', 'merging', 'interrupting', 'queueing', 'asking']);
  world.begin(async () => {
    await api('start', (table) => createConversation(table, { id: 'one', user, agent, text: 'Hello' }, now(), atMost));
    if (theme === 'members' || theme === 'clients')
      await members.share('one', random.pick(['member', 'member', 'watcher'] as const));
    const acts = 1 + random.below(theme === 'all' ? 7 : 10);
    for (let done = 0; done < acts; done++) {
      // Some come together, some when all is at rest, some in between.
      if (random.chance(0.8))
        await world.sleep(world.time + random.below(random.pick([2_000, 20_000, 90_000, 2 * 86_400_000])));
      const forks = ['one forked', 'one again forked'].filter((id) => world.table.row({ pk: `C#${id}`, sk: 'META' }));
      const [fork] = forks.length > 0 && random.chance(0.3) ? [random.pick(forks)] : [];
      world.begin(() => act(fork ?? 'one'));
    }
  });
  provider.onWebhook = (deliver) => api('the provider’s webhook', deliver);
  await world.run();
  await reconcile();
  // Files are kept for a day after their last use.
  world.time += 2 * 86_400_000;
  await reconcile();
  seen.rows = world.table.rows().filter((row) => !damage.isSpoilt(row));
  seen.files = files.broken(seen.rows);
  seen.waits = waits.held(seen.rows);
  seen.members = [...members.held(seen.rows), ...takeOvers.broken];
  // What was under way when the table was restored has begun elsewhere.
  seen.notices = restores > 0 ? [] : notices.broken(seen.rows);
  seen.executions = machines.active().map(({ name }) => name);
  seen.unreadable = await unreadable();
  return seen;
}
