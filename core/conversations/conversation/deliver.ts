import type { Source } from '../../base/content/sources';
import { assertShallow } from '../../base/json/foreign-json';
import { plainJson } from '../../base/json/plain-json';
import { isOver, isSettled } from '../../base/state/schemas';
import { clip } from '../../base/text/clip';
import { InvalidInput, NotFound } from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import { asError } from '../../base/text/thrown';
import type { Agent } from '../agent/agent';
import type { Registry } from '../agent/registry';
import type { Tool } from '../agent/tool';
import { readCall } from '../calls/call';
import { startedBy } from '../calls/call-state';
import { closeCallback, isOpen, readCallback, refusalOf } from '../calls/callback';
import { changeCall, writesOf } from '../calls/change-call';
import { storeResult } from '../calls/result';
import { cancelTimerRows, readTimer } from '../calls/timer';
import type { Meta } from '../rows/meta';
import type { StoredCall, StoredCallback } from '../rows/rows';
import { append } from '../runs/append';
import { standing, standingAfter } from '../runs/standing';
import { type Change, changeConversation } from '../store/change-conversation';
import type { Table } from '../store/table';
import type { RowWrite } from '../store/write';

/** The part of a delivery that the callback's row keeps. The call's result or the message has the whole. */
const outcomeBytes = 50_000;
const resultBytes = 1_000_000;
const messageBytes = 100_000;

type Delivery = Change<Meta>;

/**
 * Accepts one delivery of an outside system to a webhook. It becomes the result of the waiting call, or a message that wakes an
 * idle agent. Further deliveries are refused.
 *
 * @throws NotFound if there is no such webhook.
 * @throws AlreadyAnswered with the first outcome.
 * @throws InvalidInput naming the field, if the payload is nested too deeply, or is not what the tool accepts.
 */
export async function deliver(
  table: Table,
  { agents, tools }: Pick<Registry, 'agents' | 'tools'>,
  { conversationId, callbackId }: { conversationId: string; callbackId: string },
  delivered: unknown,
  now: Date,
): Promise<Meta> {
  assertShallow('body', delivered);
  const decide = async (meta: Meta): Promise<Delivery> => {
    const callback = await readCallback(table, conversationId, callbackId);
    const call = callback && (await readCall(table, conversationId, callback.callId!));
    // A deleted conversation must not start again.
    if (!call || !meta.owner) throw new NotFound('There is no such webhook.');
    if (!isOpen(callback, now)) throw refusalOf(callback);
    const payload = acceptedBy(tools.get(call.tool), delivered);
    // A call that waits for a person has been delivered before it was done.
    const isAsking = call.status === 'waiting' && call.callbackId !== callback.id;
    const isMessage = callback.delivers === 'message' || isSettled(call.status) || isAsking;
    const delivery = isMessage
      ? toConversation(agents, meta, call, payload, now)
      : await toCall(table, agents, meta, call, callback, payload, now);
    const closed = isMessage ? closeCallback(callback, 'answered', now, { outcome: outcomeOf(payload) }) : [];
    const rows = [...(delivery.rows ?? []), ...closed];
    const timer = await readTimer(table, conversationId, callback.id);
    return { ...delivery, rows: timer?.status === 'active' ? [...rows, ...cancelTimerRows(timer)] : rows };
  };
  return changeConversation(table, conversationId, decide);
}

/** Returns the delivery as the tool's author has declared it. Code of the author may throw anything. */
function acceptedBy(tool: Tool | undefined, delivered: unknown): unknown {
  const accepts = tool?.kind === 'function' ? tool.webhook?.accepts : undefined;
  if (!accepts) return delivered;
  let parsed: ReturnType<typeof accepts.safeParse>;
  try {
    parsed = accepts.safeParse(delivered);
  } catch (thrown) {
    throw new InvalidInput('body', `cannot be checked: ${failureWords(asError(thrown))}`);
  }
  if (parsed.success) return plainJson(parsed.data, 'body').value;
  const [first, ...others] = parsed.error.issues.map(({ path, message }) => ({
    path: path.join('.') || 'body',
    message,
  }));
  throw new InvalidInput(first!.path, first!.message, others);
}

/** Completes the call, even while its tool still runs. The tool's return value is then ignored. */
async function toCall(
  table: Table,
  agents: ReadonlyMap<string, Agent>,
  meta: Meta,
  call: StoredCall,
  callback: StoredCallback,
  payload: unknown,
  now: Date,
): Promise<Delivery> {
  const { run } = meta;
  const { fields, rows: parts } = storeResult(call.id, payload, resultBytes);
  const sources: Source[] = ['system'];
  const completed = changeCall(call, 'complete', {
    now,
    callback,
    outcome: outcomeOf(payload),
    set: { ...fields, sources },
    // The tool's own answer, which this replaces, may have been stored in parts.
    remove: fields.parts === undefined ? ['parts', 'partsBy'] : [],
  })!;
  const rows: RowWrite[] = [...writesOf(completed), ...parts];
  // The run that waited has been replaced: tell the current one.
  if (run?.id !== call.runId) {
    const news = toConversation(agents, meta, call, payload, now);
    return { ...news, rows: [...rows, ...(news.rows ?? [])] };
  }
  // A run that has failed stays failed. When it is retried, it finds the result.
  if (isOver(run.status)) return { meta, rows, answer: meta };
  const stands = await standingAfter(table, meta, call.id, { status: 'completed' });
  const changed = standing({ ...meta, updatedAt: now.toISOString() }, stands);
  return { meta: changed, rows, answer: changed };
}

/** Appends the delivery as a message, because its call already has an outcome or waits for none. */
function toConversation(
  agents: ReadonlyMap<string, Agent>,
  meta: Meta,
  call: StoredCall,
  payload: unknown,
  now: Date,
): Delivery {
  const json = JSON.stringify(payload);
  const cut = `… [cut here: ${Buffer.byteLength(json)} bytes were delivered]`;
  const text = `${startedBy(call)} is done. The delivery from outside: ${clip(json, { bytes: messageBytes }, cut)}`;
  const sources: Source[] = ['system'];
  const incoming = { role: 'system' as const, author: call.tool, text, about: call.id, sources };
  const way = agents.get(meta.run?.agent ?? meta.agent)?.onMessage === 'queue' ? 'queue' : 'merge';
  const { meta: appended, rows } = append(meta, incoming, now, way);
  return { meta: appended, rows, answer: appended };
}

/** Returns what the callback's row keeps of a delivery, as JSON. */
function outcomeOf(payload: unknown): string {
  const json = JSON.stringify(payload ?? null);
  const kept = clip(json, { bytes: outcomeBytes }, '…');
  return kept === json ? json : JSON.stringify(kept);
}
