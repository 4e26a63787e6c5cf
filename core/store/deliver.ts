import type { Agent } from '../agent';
import { NotFound } from '../errors';
import { statusWith } from '../route';
import { append } from './append';
import { readCallsOfStep } from './call';
import { isOpen, readCallback, refusalOf } from './callback';
import { storeResult } from './result';
import { key, type Meta, type StoredCallback } from './rows';
import type { Told } from './say';
import { type Change, changeConversation, type Table, whileRowsChange } from './table';
import type { RowWrite } from './write';

/** What is kept of a delivery in the callback's row; the whole of it is the call's result, or the message. */
const outcomeBytes = 50_000;

export interface Delivered {
  meta: Meta;
  told: Told[];
}

/**
 * What an outside system delivers to a webhook: the result of the call that waits for it, or a message that wakes an idle
 * agent. Once; whatever is delivered later is refused.
 *
 * @throws NotFound, AlreadyAnswered.
 */
export function deliver(
  table: Table,
  agents: ReadonlyMap<string, Agent>,
  { conversationId, callbackId }: { conversationId: string; callbackId: string },
  payload: unknown,
  now: Date,
): Promise<Delivered> {
  return whileRowsChange(() =>
    changeConversation<Delivered>(table, conversationId, async (meta) => {
      const callback = await readCallback(table, conversationId, callbackId);
      if (!callback) throw new NotFound('There is no such webhook.');
      if (!isOpen(callback, now)) throw refusalOf(callback);
      return callback.delivers === 'result'
        ? toCall(table, meta, callback, payload, now)
        : toConversation(agents, meta, callback, payload, now);
    }),
  );
}

async function toCall(
  table: Table,
  meta: Meta,
  callback: StoredCallback,
  payload: unknown,
  now: Date,
): Promise<Change<Delivered> & { answer: Delivered }> {
  const { run, conversationId } = meta;
  const { id, callId, taskTokens = [] } = callback;
  const calls = run?.id === callback.runId ? await readCallsOfStep(table, conversationId, run.id, run.step) : [];
  const call = calls.find((one) => one.id === callId);
  const rows = [answeredRow(callback, payload)];
  // It is quicker than the tool that started it: the tool finds the outcome when it is done.
  if (call?.status !== 'waiting') return { meta, rows, answer: { meta, told: [] } };
  const { fields, rows: parts } = storeResult(call.id, payload, 1_000_000);
  const set = { status: 'completed', ...fields, completedAt: now.toISOString() };
  rows.push({ sk: key.call(call.id), set, onlyIf: { status: 'waiting' } }, ...parts);
  const shown = statusWith(calls.map((one) => (one === call ? { ...one, status: 'completed' } : one)));
  const changed: Meta = { ...meta, ...shown, updatedAt: now.toISOString(), run: { ...run!, ...shown } };
  return { meta: changed, rows, answer: { meta: changed, told: [{ id, taskTokens, wayOn: 'served' }] } };
}

function toConversation(
  agents: ReadonlyMap<string, Agent>,
  meta: Meta,
  callback: StoredCallback,
  payload: unknown,
  now: Date,
): Change<Delivered> & { answer: Delivered } {
  const { tool, callId } = callback;
  const text = `What ${tool} had started is done. It was delivered: ${JSON.stringify(payload)}`;
  const incoming = { role: 'system' as const, author: tool!, text: text.slice(0, 100_000), about: callId };
  const way = agents.get(meta.run?.agent ?? meta.agent)?.onMessage === 'queue' ? 'queue' : 'merge';
  const { meta: told, rows } = append(meta, incoming, now, way);
  return { meta: told, rows: [...rows, answeredRow(callback, payload)], answer: { meta: told, told: [] } };
}

function answeredRow({ id, version }: StoredCallback, payload: unknown): RowWrite {
  const json = JSON.stringify(payload ?? null);
  const outcome = json.length <= outcomeBytes ? json : JSON.stringify(`${json.slice(0, outcomeBytes)}…`);
  return { sk: key.callback(id), set: { status: 'answered', outcome, outbox: 'answer' }, onlyIf: { version } };
}
