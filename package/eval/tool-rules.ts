import type { Call } from '../../core/base/state/schemas';
import { asError } from '../../core/base/text/thrown';
import type { FunctionTool } from '../../core/conversations/agent/tool';
import { canonical, digestOf } from '../../core/conversations/calls/approved';
import { type Place, type Recording, withoutFiles } from './recording';

/** The result of a tool in a case, or a function of its arguments. What it throws is what the model reads. */
export type StandIn = unknown;

/**
 * Who has answered a call of a tool: the recording, a stand-in of the case, the tool itself, or nobody, so that the call failed.
 */
export type AnsweredBy = 'recorded' | 'stand-in' | 'live' | 'refused';

/** A call of a tool in a case, and who has answered it. */
export interface AnsweredCall {
  tool: string;
  arguments: unknown;
  by: AnsweredBy;
}

/** What the tools of a case may do. */
export interface ToolRules {
  /** Results by the names of tools. */
  tools?: Record<string, StandIn>;
  /** The `read` tools that run; `true` for all. */
  live?: true | readonly string[];
  /** Where the case begins. Then no tool runs that is not live. */
  from?: { recording: Recording; place: Place };
}

/** A call as it is to be answered. `key` is the same in all attempts. */
export interface Asked {
  key: string;
  tool: string;
  arguments: unknown;
}

type Answer = { by: AnsweredBy | 'itself' } & ({ result?: unknown } | { error: string });

/** A result of the recording, which answers one call. */
interface Recorded {
  tool: string;
  arguments: unknown;
  answer: { result: unknown } | { error: string };
  isBefore: boolean;
  given: boolean;
}

/** Decides about the calls of a trial's tools. What has an effect never runs in a replay. */
export class ToolAnswers {
  readonly #given = new Map<string, Promise<Answer>>();
  readonly #recorded: Recorded[];
  /** The calls that were answered, in order. */
  readonly calls: AnsweredCall[] = [];

  constructor(readonly rules: ToolRules) {
    this.#recorded = rules.from ? recordedIn(rules.from) : [];
  }

  /** Whether a call has had an answer that is not the tool's. */
  async isAnswered(key: string): Promise<boolean> {
    const { by = 'itself' } = (await this.#given.get(key)) ?? {};
    return by !== 'itself' && by !== 'live';
  }

  /** @returns the answer to all attempts at a call; by `itself` if the case has nothing to do with the tool. */
  answerTo(asked: Asked, tool: FunctionTool): Promise<Answer> {
    // Stored at once: an attempt at the same time takes no second result.
    const answer = this.#given.get(asked.key) ?? this.#note(asked, this.#find(asked, tool));
    this.#given.set(asked.key, answer);
    return answer;
  }

  async #note({ tool, arguments: args }: Asked, found: Promise<Answer>): Promise<Answer> {
    const answer = await found;
    if (answer.by !== 'itself') this.calls.push({ tool, arguments: args, by: answer.by });
    return answer;
  }

  async #find(asked: Asked, tool: FunctionTool): Promise<Answer> {
    const { tools = {}, live = [], from } = this.rules;
    const standIn = Object.hasOwn(tools, asked.tool) ? await answerOf(tools[asked.tool], asked.arguments) : undefined;
    if (standIn) return { by: 'stand-in', ...standIn };
    const isLive = live === true || live.includes(asked.tool);
    if (!from) return { by: isLive ? 'live' : 'itself' };
    if (isLive && tool.effect === 'read') return { by: 'live' };
    const recorded = this.#take(asked, tool);
    if (recorded) return { by: 'recorded', ...recorded.answer };
    return {
      by: 'refused',
      error: `${asked.tool} was not called: nothing takes effect in this replay, and no result for these arguments was recorded.`,
    };
  }

  /**
   * The next result for the tool and these arguments after the step at which the case begins. An effect that happened once has one result. What
   * is read again has the latest one.
   */
  #take(asked: Asked, tool: FunctionTool): Recorded | undefined {
    const digest = digestFor(tool, asked.arguments);
    const fitting = this.#recorded.filter(
      (one) => one.tool === asked.tool && digestFor(tool, one.arguments) === digest,
    );
    const next = fitting.find(({ isBefore, given }) => !isBefore && !given);
    if (next) next.given = true;
    return next ?? (tool.effect === 'read' ? fitting.at(-1) : undefined);
  }
}

async function answerOf(standIn: StandIn, args: unknown): Promise<{ result: unknown } | { error: string } | undefined> {
  if (typeof standIn !== 'function') return { result: standIn };
  try {
    const result: unknown = await standIn(args);
    return result === undefined ? undefined : { result };
  } catch (thrown) {
    return { error: asError(thrown).message };
  }
}

function recordedIn({
  recording: { conversation, subAgents = [] },
  place,
}: NonNullable<ToolRules['from']>): Recorded[] {
  const seqOf = new Map(conversation.messages.map(({ runId, step, seq }) => [`${runId} ${step}`, seq]));
  const isBefore = ({ runId, step }: Call) => (seqOf.get(`${runId} ${step}`) ?? 0) < place.seq;
  const own = conversation.calls.flatMap((call) => resultOf(call, isBefore(call)));
  return [...own, ...subAgents.flatMap(({ calls }) => calls.flatMap((call) => resultOf(call, false)))];
}

/** What never ran was denied or cancelled, and what is unknown has no result. */
function resultOf({ tool, arguments: args, status, attempts, result, error }: Call, isBefore: boolean): Recorded[] {
  const recorded = { tool, arguments: args, isBefore, given: false };
  if (attempts === 0) return [];
  if (status === 'completed' || (status === 'undone' && result !== undefined))
    return [{ ...recorded, answer: { result: withoutFiles(result ?? null) } }];
  return status === 'failed' && error !== undefined ? [{ ...recorded, answer: { error } }] : [];
}

/** As the tool gets them: a field that is left out, and one that is null, are the same. */
const digestFor = (tool: FunctionTool, args: unknown): string => digestOf(canonical(tool.input, args) ?? { args });
