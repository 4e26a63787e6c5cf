import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { FilePart } from '../../core/base/content/parts';
import { Conversation } from '../../core/base/state/schemas';
import { ConfigurationError } from '../../core/base/text/errors';
import { problemsIn } from '../../core/base/text/problems';

/**
 * What happened in a conversation, as a file next to evals: `evals/recorded/<name>.json`. A case may begin at one of its steps, and its calls
 * have the results of tools.
 */
export interface Recording {
  /** As the API returns it, with all messages and whole calls: `wholeConversation` of `vigil-client`. */
  conversation: Conversation;
  /** The conversations of its sub-agents, whose calls have results of tools, too. */
  subAgents?: Conversation[];
}

/** A step of a recording. */
export interface Place {
  runId: string;
  step: number;
  /** The message with the recorded reply. */
  seq: number;
  /** The agent that made the step. */
  agent: string;
  /** When the step began. */
  at: number;
}

const file = z.object({ conversation: Conversation, subAgents: z.array(Conversation).optional() });
/** A conversation as it was exported is a recording, too. */
const recording = z.union([file, Conversation.transform((conversation): Recording => ({ conversation }))]);

/**
 * Reads a recording.
 *
 * @param from the name of a file, or its content.
 * @throws ConfigurationError in one line.
 */
export function readRecording(from: string | object): Recording {
  const name = typeof from === 'string' ? from : 'The recording';
  const content = typeof from === 'string' ? contentOf(from) : from;
  const { data, error } = recording.safeParse(content);
  if (data) return data;
  // Of a union's problems, those of the form that is meant say what to do.
  const own = Object.hasOwn(Object(content), 'conversation')
    ? file.safeParse(content)
    : Conversation.safeParse(content);
  const [problem] = problemsIn(own.error ?? error, 'it').split('; ');
  throw new ConfigurationError(`${name} is no recording: ${problem}. \`vigil eval pull\` writes one.`);
}

function contentOf(path: string): unknown {
  if (!existsSync(path)) throw new ConfigurationError(`The recording ${path} does not exist.`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigurationError(`The recording ${path} is no JSON: ${(error as Error).message}.`);
  }
}

/**
 * Finds a step.
 *
 * @param run the number of the run in the recording, from 1. By default, the last one.
 * @throws ConfigurationError that names the steps that there are.
 */
export function placeIn({ conversation }: Recording, step: number, run?: number): Place {
  const replies = conversation.messages.filter(
    (message) => message.role === 'assistant' && message.callId === undefined && message.runId !== undefined,
  );
  const runs = [...new Set(replies.map(({ runId }) => runId!))];
  const runId = run === undefined ? runs.at(-1) : runs[run - 1];
  // Earlier replies of this step were cut off by a message, which the last one answers.
  const reply = replies.findLast((message) => message.runId === runId && message.step === step);
  if (runId && reply) return { runId, step, seq: reply.seq, agent: reply.author, at: Date.parse(reply.createdAt) };
  const known = runs.map((id, index) => {
    const steps = replies.filter((message) => message.runId === id).map((message) => message.step);
    return `run ${index + 1} has the steps ${[...new Set(steps)].join(', ')}`;
  });
  throw new ConfigurationError(
    `There is no step ${step} in ${run === undefined ? 'the last run' : `run ${run}`}: ${known.join('; ') || 'nothing was replied'}.`,
  );
}

const dayMs = 86_400_000;
/** In times and dates alike. A longer number, and a part of an id, is none. */
const dates = /(?<![\w-])\d{4}-\d\d-\d\d(?![\d-])/g;

/**
 * Returns the recording as if it had happened so many weeks later: in all times and dates, those in words, arguments and results included. Whole
 * weeks keep hours and weekdays.
 */
export function weeksLater(recorded: Recording, weeks: number): Recording {
  const moved = JSON.stringify(recorded).replace(dates, (date) => {
    const time = Date.parse(date);
    // A date is ASCII.
    return Number.isNaN(time) ? date : new Date(time + weeks * 7 * dayMs).toISOString().slice(0, 10);
  });
  return JSON.parse(moved) as Recording;
}

/** Returns a value in which files are notes: a recording has no bytes. */
export function withoutFiles<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutFiles) as Value;
  const { data: found } = FilePart.safeParse(value);
  if (found) return `[The file ${found.filename ?? found.id} is not part of the recording]` as Value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutFiles(one)])) as Value;
}
