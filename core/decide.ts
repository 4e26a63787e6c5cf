import { createHash } from 'node:crypto';
import type { Agent } from './agent';
import { clip } from './clip';
import { problemsIn } from './problems';
import { isSettled } from './schemas';
import { callIdOf } from './store/call';
import type { StoredCall } from './store/rows';

/** A model's reply, put together from its stream. */
export interface Reply {
  text: string;
  toolCalls: { id: string; name: string; arguments: string }[];
}

/** What a reply means for the run. */
export interface Decision {
  /** What the message says: the reply's text, cut only where it would fit no row. */
  text: string;
  /**
   * `done`: the run has its answer. `ask`: the text is a question to the user. `call`: the calls that are open are to be made.
   * `again`: the model is to be called again at once, because every call is settled already or the reply said nothing.
   */
  kind: 'done' | 'ask' | 'call' | 'again';
  calls: StoredCall[];
  /** A note for the model, when it has to be told something that is no call's result. */
  note?: string;
}

/** A message and a call have a row each: a row has 400 KB at most, and all rows of a step 4 MB and 100 rows together. */
const maxTextBytes = 300_000;
const maxArgumentBytes = 200_000;
const maxCallsKept = 64;

/** More calls in one reply than this are refused, so that the state machine's payload stays under 8 KiB. */
export const maxCallsPerReply = 16;

/**
 * Decides what follows from a model's reply. Pure: the same reply decides the same.
 *
 * What the model got wrong (unknown tool, unreadable or invalid arguments) becomes a failed call whose error it reads next.
 *
 * @param at.knownIds ids of the transcript's tool calls so far: some servers number theirs anew in each reply, others send
 *   ids that no other server takes. Those are replaced.
 */
export function decide(
  agent: Agent,
  reply: Reply,
  at: { runId: string; step: number; user: string; now: Date; knownIds: ReadonlySet<string> },
): Decision {
  const toolCalls = reply.toolCalls.slice(0, maxCallsKept);
  const clipped = clip(reply.text, maxTextBytes);
  const text = clipped === reply.text ? clipped : `${clipped}… [cut here: the reply was too long to keep]`;
  const ends = agent.end && text.includes(agent.end.phrase);
  const calls = toolCalls.map((asked, index) => {
    const first = toolCalls.findIndex(({ id }) => id === asked.id) === index;
    const usable = first && /^[\w-]{1,40}$/.test(asked.id) && !at.knownIds.has(asked.id);
    const modelCallId = usable ? asked.id : ownCallId(callIdOf(at.runId, at.step, index));
    return judge(agent, asked, modelCallId, index, at);
  });
  if (ends) {
    const error = `Not done: the reply said "${agent.end!.phrase}", which ends the work.`;
    return { kind: 'done', text, calls: calls.map((call) => ({ ...call, status: 'cancelled', error })) };
  }
  if (calls.length > 0) return { kind: calls.every(({ status }) => isSettled(status)) ? 'again' : 'call', text, calls };
  if (!text.trim())
    return { kind: 'again', text, calls, note: 'Your last reply was empty. Answer the user, or call a tool.' };
  return { kind: agent.end ? 'ask' : 'done', text, calls };
}

/** Of 29 characters that every server takes: at most 40, letters, digits, - and _. */
const ownCallId = (callId: string): string => `call_${createHash('sha256').update(callId).digest('hex').slice(0, 24)}`;

function judge(
  agent: Agent,
  asked: Reply['toolCalls'][number],
  modelCallId: string,
  index: number,
  { runId, step, user, now }: { runId: string; step: number; user: string; now: Date },
): StoredCall {
  const createdAt = now.toISOString();
  const tooMany = index >= maxCallsPerReply;
  const tooLong = Buffer.byteLength(asked.arguments) > maxArgumentBytes;
  const args = tooLong || tooMany ? unreadable : readJson(asked.arguments);
  const call = {
    id: callIdOf(runId, step, index),
    modelCallId,
    user,
    version: 1,
    runId,
    step,
    index,
    tool: asked.name,
    arguments: isObject(args) ? args : { unreadable: asked.arguments.slice(0, 2_000) },
    attempts: 0,
    createdAt,
  };
  const fail = (error: string): StoredCall => ({ ...call, status: 'failed', error, completedAt: createdAt });

  if (tooMany) return fail(`At most ${maxCallsPerReply} tools can be called in one reply. Ask for this one again.`);
  const tool = agent.tools.find(({ name }) => name === asked.name);
  if (!tool) {
    const names = agent.tools.map(({ name }) => name).join(', ') || 'none';
    return fail(`There is no tool "${asked.name}". The tools are: ${names}.`);
  }
  if (tooLong) return fail(`The arguments are longer than ${maxArgumentBytes} bytes. Call the tool again with less.`);
  if (args === unreadable) return fail('The arguments are not valid JSON. Call the tool again with a JSON object.');
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) {
    return fail(
      `The arguments do not fit the tool: ${problemsIn(parsed.error, 'arguments')}. Mend them and call it again.`,
    );
  }
  if (tool.kind === 'function') return { ...call, status: 'queued' };
  try {
    return { ...call, status: 'waiting', until: tool.until(parsed.data, now).toISOString() };
  } catch (error) {
    return fail(`This cannot be waited for: ${(error as Error).message}`);
  }
}

const unreadable = Symbol('unreadable');

/** What goes back to the server as a call's arguments must be an object, whatever the model sent. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some servers send no arguments at all for a tool that takes none. */
function readJson(text: string): unknown {
  if (!text.trim()) return {};
  try {
    return JSON.parse(text);
  } catch {
    return unreadable;
  }
}
