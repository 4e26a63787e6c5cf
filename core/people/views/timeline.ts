import * as z from 'zod';
import { FailedAttempt } from '../../base/state/failed-attempts';
import {
  addUsage,
  type Call,
  type Callback,
  DecisionMade,
  type Message,
  noUsage,
  Run,
  Usage,
} from '../../base/state/schemas';
import { fitting } from '../../base/text/fitting';
import { add, Cost, costOfEffort, type Effort, noEffort } from '../../conversations/agent/cost';
import type { Tool } from '../../conversations/agent/tool';
import { pollsWithin, secondsListening } from '../../conversations/replies/pending-reply';

/** One model call, tool call, wait or callback of a run. */
export const TimelineEntry = z.object({
  /** `undo`: undoing a call, by its id. */
  kind: z.enum(['model', 'tool', 'wait', 'callback', 'hand-off', 'undo']),
  /** The message's `seq`, or the id of the call or the callback. */
  id: z.string(),
  step: z.number().int(),
  /** The agent or the tool. */
  name: z.string(),
  status: z.string(),
  startedAt: z.iso.datetime(),
  /** Absent while the entry is in progress. */
  endedAt: z.iso.datetime().optional(),
  attempts: z.number().int().optional(),
  /** The latest attempts that failed. */
  failedAttempts: z.array(FailedAttempt).optional(),
  /** For a call: the user who approved or denied it. */
  decidedBy: z.string().optional(),
  /** For a call that several people decide: what each has decided. */
  decisions: z.array(DecisionMade).optional(),
  /** For a call that nobody was asked about: the standing approval on whose authority it was made. */
  standing: z.string().optional(),
  usage: Usage.optional(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const TimelineRun = z.object({
  id: z.string(),
  agent: z.string(),
  status: Run.shape.status,
  reason: z.string().optional(),
  segments: z.number().int(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  /** The conversation's latest entries, as many as fit into a response. */
  entries: z.array(TimelineEntry),
  /** The number of earlier entries that are left out. `cost` includes them. */
  omitted: z.number().int(),
  usage: Usage,
  cost: Cost,
});
export type TimelineRun = z.infer<typeof TimelineRun>;

export const Timeline = z.object({ runs: z.array(TimelineRun), cost: Cost });
export type Timeline = z.infer<typeof Timeline>;

interface Rows {
  messages: Message[];
  calls: Call[];
  callbacks: Callback[];
  /** The latest run. Earlier ones are reconstructed from the rows. */
  run?: Run;
}

const modelMemoryGb = 0.5;
/** CallModel's work around listening to a reply in the background. */
const secondsAround = 0.5;
const [secondsOfBegin, secondsOfPoll] = [
  secondsListening.begun + secondsAround,
  secondsListening.fetched + secondsAround,
];

/** Returns every model call, tool call, wait and callback of a conversation's runs, in order, with their cost. Pure. */
export function timelineOf({ messages, calls, callbacks, run }: Rows, tools: ReadonlyMap<string, Tool>): Timeline {
  const ids = [...new Set(messages.flatMap(({ runId, role }) => (runId && role !== 'user' ? [runId] : [])))];
  if (run && !ids.includes(run.id)) ids.push(run.id);
  const efforts: Effort[] = [];
  const runs = ids.map((id): TimelineRun => {
    const steps = messages.filter((one) => one.runId === id && one.callId === undefined && isStep(one));
    const ofRun = calls.filter((call) => call.runId === id);
    const entries = [
      ...steps.map(modelEntry),
      ...ofRun.map((call) => callEntry(call, callbacks)),
      ...ofRun.flatMap(undoEntries),
      ...callbacks.filter((one) => one.runId === id && one.callId === undefined).map(questionEntry),
    ].sort((a, b) => (a.startedAt < b.startedAt ? -1 : Number(a.startedAt > b.startedAt)));
    const effort = [
      ...steps.map((step) => effortOfStep(step, ofRun)),
      ...ofRun.map((call) => effortOfCall(call, tools)),
    ].reduce(add, noEffort);
    const latest = run?.id === id ? run : undefined;
    const [first] = entries;
    const last = entries
      .map(({ endedAt }) => endedAt)
      .filter((at) => at !== undefined)
      .sort()
      .at(-1);
    const over = !latest || !['running', 'sleeping', 'waiting', 'cancelling'].includes(latest.status);
    // The transition to Done.
    const done = { ...effort, transitions: effort.transitions + (over ? 1 : 0) };
    efforts.push(done);
    return {
      id,
      agent: latest?.agent ?? first?.name ?? '',
      status: latest?.status ?? statusOf(steps),
      reason: latest?.reason,
      segments: latest?.segment ?? 1,
      entries,
      omitted: 0,
      startedAt: first?.startedAt ?? messages[0]!.createdAt,
      endedAt: over ? last : undefined,
      // A step is stored with what its model has used.
      usage: {
        ...steps.reduce((sum, { usage }) => addUsage(sum, usage ?? noUsage), noUsage),
        toolCalls: ofRun.length,
      },
      cost: costOfEffort(done),
    };
  });
  return { runs: withLatest(runs), cost: costOfEffort(efforts.reduce(add, noEffort)) };
}

/** A Lambda response has at most 6 MB. */
const entryBytes = 4_000_000;

function withLatest(runs: TimelineRun[]): TimelineRun[] {
  const kept = new Set(fitting(runs.flatMap(({ entries }) => entries).toReversed(), entryBytes));
  return runs.map((run) => {
    const entries = run.entries.filter((entry) => kept.has(entry));
    return { ...run, entries, omitted: run.entries.length - entries.length };
  });
}

/** Whether the message is a step's reply or summary. */
const isStep = ({ role, step, covers }: Message): boolean =>
  step !== undefined && (role === 'assistant' || covers !== undefined);

const modelEntry = ({
  seq,
  step,
  author,
  status,
  createdAt,
  completedAt,
  usage,
  failedAttempts,
}: Message): TimelineEntry => ({
  kind: 'model',
  id: String(seq),
  step: step!,
  name: author,
  status,
  startedAt: createdAt,
  endedAt: completedAt,
  ...(failedAttempts && { attempts: failedAttempts.at(-1)!.attempt + Number(status === 'complete'), failedAttempts }),
  usage,
});

function callEntry(call: Call, callbacks: Callback[]): TimelineEntry {
  const { id, step, tool, status, createdAt, startedAt, completedAt, attempts, failedAttempts, decidedBy } = call;
  const asked = callbacks.find((one) => one.callId === id);
  const { steps, decisions } = callbacks.find((one) => one.id === id) ?? {};
  const kind = asked ? 'callback' : call.kind === 'hand-off' || call.kind === 'wait' ? call.kind : 'tool';
  const at = { startedAt: startedAt ?? createdAt, endedAt: completedAt };
  const by = { decidedBy, ...(steps && { decisions }), standing: call.standing };
  return { kind, id, step, name: tool, status, ...at, attempts, failedAttempts, ...by };
}

/** The entry of a call that was undone, or that the rollback has tried to undo. */
function undoEntries({ id, step, tool, undoneAt, undoError, failedUndos = [] }: Call): TimelineEntry[] {
  const startedAt = failedUndos[0]?.startedAt ?? undoneAt;
  if (!startedAt) return [];
  const status = undoneAt ? 'undone' : undoError ? 'not undone' : 'undoing';
  const endedAt = undoneAt ?? (undoError ? failedUndos.at(-1)?.endedAt : undefined);
  const attempts = (failedUndos.at(-1)?.attempt ?? 0) + Number(undoneAt !== undefined);
  const failed = failedUndos.length > 0 ? { failedAttempts: failedUndos } : {};
  return [{ kind: 'undo', id, step, name: tool, status, startedAt, endedAt, attempts, ...failed }];
}

const questionEntry = ({ id, status, createdAt, expiresAt, closedAt }: Callback): TimelineEntry => ({
  kind: 'callback',
  id,
  step: Number(id.split('.')[1] ?? 0),
  name: 'question',
  status,
  startedAt: createdAt ?? expiresAt,
  endedAt: closedAt,
});

const statusOf = (steps: Message[]): Run['status'] => {
  const last = steps.at(-1)?.status;
  return last === 'cancelled' ? 'cancelled' : last === 'error' ? 'failed' : 'done';
};

function effortOfStep(message: Message, ofRun: Call[]): Effort {
  const { createdAt, completedAt, usage, step, text, background } = message;
  const calls = ofRun.filter((call) => call.step === step);
  const seconds = secondsBetween(createdAt, completedAt);
  const polls = background ? pollsWithin(seconds) : 0;
  return {
    modelMicrodollars: usage?.costMicrodollars ?? 0,
    // AwaitCallback, CallModel and Route.
    transitions: transitionsOfStep(calls) + 3 * polls,
    // Also Ask.
    invocations: 1 + 2 * polls,
    gbSeconds: (background ? Math.min(seconds, secondsOfBegin + polls * secondsOfPoll) : seconds) * modelMemoryGb,
    // Three transactions (begin, reserve, commit), in which each row counts twice, also the text, and the text's pieces.
    writes: 14 + 9 * polls + 2 * calls.length + 2 * Math.floor(text.length / 1_024) + piecesIn(text),
    reads: 7,
  };
}

/** Estimates the pieces in which a reply was written (`core/base/text/sentences.ts`). */
const piecesIn = (text: string): number => Math.min(text.split(/[.!?]\s/).length, 32 + Math.floor(text.length / 512));

/** Counts CallModel and Route, the calls' states (in the Map RunTools if there are several), and Sleep. */
function transitionsOfStep(calls: Call[]): number {
  const waits = calls.filter(({ until }) => until).length;
  const work = calls.filter(({ attempts, callbackId }) => attempts > 0 || callbackId);
  // After its approval, a single call returns through CallModel; in RunTools, the Map routes it itself.
  const again = work.filter(({ attempts, callbackId }) => attempts > 0 && callbackId).length;
  const worked = work.length > 1 ? 1 + 2 * work.length + 2 * again : work.length + 3 * again;
  return 2 + worked + (waits === 0 ? 0 : work.length > 0 ? 3 : 1);
}

/** The memory of RunIsolated, which waits while the function of an isolated tool works. */
const runIsolatedMiB = 256;

function effortOfCall(call: Call, tools: ReadonlyMap<string, Tool>): Effort {
  const tool = tools.get(call.tool);
  const asked = call.callbackId ? 1 : 0;
  const { attempts } = call;
  const isolated = tool?.kind === 'function' && tool.isolated;
  const memoryGb = tool?.kind === 'function' ? (tool.memoryMiB + (isolated ? runIsolatedMiB : 0)) / 1_024 : 0;
  const most = tool?.kind === 'function' ? attempts * tool.timeoutSeconds : 0;
  return {
    ...noEffort,
    invocations: attempts * (isolated ? 2 : 1) + asked,
    gbSeconds: Math.min(secondsBetween(call.startedAt ?? call.createdAt, call.completedAt), most) * memoryGb,
    writes: 2 * attempts + 2 * asked,
    reads: 2 * attempts + asked,
  };
}

const secondsBetween = (from: string, to: string | undefined): number =>
  to === undefined ? 0 : Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
