import type { Engine } from '../engine/engine';
import type { Entry } from '../engine/entry';
import { taskToken } from '../execution/transition';
import type { Input } from '../interpreter/apply';
import { parseJson } from '../language/json';
import { ApiError } from './api-error';
import { type Action, checkJson, optionalText, requiredText } from './request';

interface Found {
  entry: Entry;
  task: number;
}

/** A token names its execution and its task, and proves that it was given out. Throws InvalidToken. */
async function findTask(engine: Engine, token: string): Promise<Found> {
  const [serial, task] = Buffer.from(token, 'base64url').toString().split(':');
  const entry = engine.executions.bySerial.get(Number(serial));
  if (entry !== undefined && /^\d+$/.test(task ?? '')) {
    const { seed } = await engine.executions.reader.startBody(entry).catch(() => {
      // Its execution has ended, and has gone to the archive.
      throw timedOut();
    });
    if (taskToken(entry.serial, Number(task), seed) === token) return { entry, task: Number(task) };
  }
  throw new ApiError('InvalidToken', `Invalid Token: 'Invalid token'`);
}

const timedOut = () => new ApiError('TaskTimedOut', `Task Timed Out: 'Provided task does not exist anymore'`);

async function tell(engine: Engine, { entry, task }: Found, make: (task: number) => Input): Promise<void> {
  const applied = await new Promise((resolve) => engine.executions.tell(entry, make(task), resolve));
  if (applied === false) throw timedOut();
}

const sendTaskSuccess: Action = async (engine, body) => {
  const text = requiredText(body, 'output');
  // An invalid token is told before an invalid output.
  const found = await findTask(engine, requiredText(body, 'taskToken'));
  const output = parseJson(checkOutput(text));
  await tell(engine, found, (task) => ({ kind: 'succeeded', task, output }));
  return {};
};

function checkOutput(text: string): string {
  try {
    return checkJson(text, 'InvalidOutput', 'output');
  } catch (error) {
    if (error instanceof ApiError && error.type === 'InvalidOutput')
      throw new ApiError('InvalidOutput', `Invalid Output: '${text}'`);
    throw error;
  }
}

const sendTaskFailure: Action = async (engine, body) => {
  const [error, cause] = [optionalText(body, 'error'), optionalText(body, 'cause')];
  const found = await findTask(engine, requiredText(body, 'taskToken'));
  await tell(engine, found, (task) => ({ kind: 'failed', task, error, cause }));
  return {};
};

const sendTaskHeartbeat: Action = async (engine, body) => {
  const found = await findTask(engine, requiredText(body, 'taskToken'));
  await tell(engine, found, (task) => ({ kind: 'heartbeat', task }));
  return {};
};

export const taskActions: Record<string, Action> = {
  SendTaskSuccess: sendTaskSuccess,
  SendTaskFailure: sendTaskFailure,
  SendTaskHeartbeat: sendTaskHeartbeat,
};
