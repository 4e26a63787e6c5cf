import { AwsError } from '../aws/aws-error';
import type { InvokeResult } from '../lambda/answer';

/** Answers the attempts at tool calls instead of the tools' functions, so that a replay has no effect. */
export interface AnsweredTools {
  /** The program that is asked. Without an address, the functions run. */
  ask(url?: string): void;
  /** The address of that program. */
  asked(): string | undefined;
  /** Returns what the function's caller gets; undefined if the function runs. */
  answerTo(functionName: string, payload: string): Promise<InvokeResult | undefined>;
}

/** How long the program may take. */
const answersWithinMs = 60_000;

/**
 * A tool's state invokes the tool's function, or RunIsolated, with the ids of its call. This is the one door through which all tools run:
 * functions of this deployment, isolated ones, foreign ones and those of MCP servers, in any loop, in rollbacks and from timers.
 *
 * The functions do not run unless the program says so: if it does not answer, the attempt fails.
 */
export function answeredTools(): AnsweredTools {
  let url: string | undefined;
  return {
    ask(next) {
      url = next;
    },
    asked: () => url,
    async answerTo(functionName, payload) {
      if (url === undefined) return undefined;
      const request = attemptIn(payload);
      if (!request) return undefined;
      const { runs, answer, error } = await askProgram(url, { functionName, request });
      if (runs === true) return undefined;
      return error === undefined
        ? { payload: JSON.stringify(answer ?? null), executedVersion: '$LATEST' }
        : { payload: JSON.stringify(error), functionError: 'Unhandled', executedVersion: '$LATEST' };
    },
  };
}

interface Answer {
  runs?: boolean;
  answer?: unknown;
  error?: { errorType: string; errorMessage: string };
}

/** Returns the ids of a call that is to be made or undone. Ask has them, too, with the token of the execution that waits. */
function attemptIn(payload: string): object | undefined {
  try {
    const request = Object(JSON.parse(payload)) as Record<string, unknown>;
    const ids = [request.conversationId, request.runId, request.callId];
    return ids.every((id) => typeof id === 'string') && request.taskToken === undefined ? request : undefined;
  } catch {
    return undefined;
  }
}

/** @throws AwsError if there is no answer. */
async function askProgram(url: string, question: object): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(answersWithinMs),
    });
    if (response.ok) return Object(await response.json()) as Answer;
    throw new Error(`status ${response.status}`);
  } catch (error) {
    throw new AwsError('ServiceException', `Nobody answers tool calls at ${url}: ${(error as Error).message}`, 500);
  }
}
