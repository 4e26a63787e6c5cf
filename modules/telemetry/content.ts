import type { Attributes } from '@opentelemetry/api';
import { isPlain } from '../../core/base/schemas/definition';
import { clip } from '../../core/base/text/clip';
import { readCall, readCallsOfStep } from '../../core/conversations/calls/call';
import { key } from '../../core/conversations/rows/keys';
import { onlyReadable, parsedAs } from '../../core/conversations/rows/readable';
import { type StoredCall, StoredMessage } from '../../core/conversations/rows/rows';
import { readRow, type Table } from '../../core/conversations/store/table';
import { redact } from '../../runtime/guards/redact';
import { names } from './conventions';
import type { CallFact, ChatFact, Fact } from './facts';
import type { Content } from './spans';

/** Of each text. Backends refuse spans that are large: CloudWatch from 200 KB on. */
const textBytes = 8_000;
const attributeBytes = 60_000;
/** More messages than this are seldom read by one reply. */
const mostMessages = 20;

const guard = redact({ patterns: { email: true, iban: true, card: true }, at: ['input', 'call'] });

/** Replaces what the patterns of `redact` find: in a text, or in the texts of JSON, which stays JSON. */
async function redacted(words: string): Promise<string> {
  const verdict = await guard.check(words, { at: 'call' } as Parameters<typeof guard.check>[1]);
  return typeof verdict === 'object' && 'replace' in verdict ? verdict.replace : words;
}

/** Returns an attribute as JSON with its texts clipped; none if it is still too large. */
async function attribute(name: string, value: unknown): Promise<Attributes> {
  const text = JSON.stringify(clipped(JSON.parse(await redacted(JSON.stringify(value)))));
  return Buffer.byteLength(text) > attributeBytes ? {} : { [name]: text };
}

function clipped(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, { bytes: textBytes }, '…');
  if (Array.isArray(value)) return value.map(clipped);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clipped(one)]));
}

type Part =
  | { type: 'text'; content: string }
  | { type: 'tool_call'; id: string; name: string; arguments: unknown }
  | { type: 'tool_call_response'; id: string; response: unknown };
interface ChatMessage {
  role: 'user' | 'assistant' | 'tool' | 'system';
  parts: Part[];
  finish_reason?: string;
}

/**
 * Reads what people and models wrote about a fact, and redacts it. Rows that are gone or cannot be read have no words.
 *
 * A chat has what is new in its request: the messages that it read and the results of the step before. Its whole transcript is in the spans
 * before it.
 */
export async function contentOf(table: Table, fact: Fact): Promise<Content> {
  const words = new Map<string, string>();
  const failures = fact.kind === 'segment' ? [] : (fact.failedAttempts ?? []);
  for (const { error } of failures) words.set(error, clip(await redacted(error), { bytes: textBytes }, '…'));
  const of = { words: (text: string) => words.get(text) ?? '' };
  if (fact.kind === 'segment' || (await isDeleted(table, fact))) return { ...of, attributes: {} };
  const attributes = await (fact.kind === 'chat' ? ofChat(table, fact) : ofCall(table, fact)).catch(
    (error: Error): Attributes => {
      if (error.name === 'UnreadableRow' || error.name === 'NewerRow') return {};
      throw error;
    },
  );
  return { ...of, attributes };
}

/** The rows of a deleted conversation are there for a month. */
async function isDeleted(table: Table, { conversationId }: Fact): Promise<boolean> {
  const meta = await readRow(table, conversationId, key.meta);
  return meta !== undefined && Object.hasOwn(meta, 'deletedFor');
}

async function ofChat(table: Table, { conversationId, runId, seq, step, cutOff }: ChatFact): Promise<Attributes> {
  const [reply, calls, earlier, read] = await Promise.all([
    readRow(table, conversationId, key.message(seq)),
    readCallsOfStep(table, conversationId, runId, step),
    step > 1 ? readCallsOfStep(table, conversationId, runId, step - 1) : [],
    messagesReadBy(table, conversationId, seq),
  ]);
  const input: ChatMessage[] = [
    ...earlier.map((call): ChatMessage => ({ role: 'tool', parts: [responseOf(call)] })),
    ...read.map(({ role, text }): ChatMessage => ({ role, parts: [{ type: 'text', content: text }] })),
  ];
  const text = reply ? parsedAs(StoredMessage, reply).text : '';
  const parts: Part[] = [...(text ? [{ type: 'text' as const, content: text }] : []), ...calls.map(callPart)];
  const finish_reason = cutOff ?? (calls.length > 0 ? 'tool_call' : 'stop');
  const output: ChatMessage[] = [{ role: 'assistant', parts, finish_reason }];
  return {
    ...(input.length > 0 && (await attribute(names.inputMessages, input))),
    ...(await attribute(names.outputMessages, output)),
  };
}

const callPart = ({ modelCallId: id, tool: name, arguments: args }: StoredCall): Part => ({
  type: 'tool_call',
  id,
  name,
  arguments: args,
});

const responseOf = ({ modelCallId: id, result, error, heard }: StoredCall): Part => ({
  type: 'tool_call_response',
  id,
  // The model reads what a guard has put in the place of a result.
  response: heard?.text ?? result ?? error ?? null,
});

/** They come right before the reply that reads them. */
async function messagesReadBy(table: Table, conversationId: string, seq: number) {
  const seqs = Array.from({ length: Math.min(mostMessages, seq - 1) }, (_, index) => seq - 1 - index).reverse();
  const rows = await Promise.all(seqs.map((one) => readRow(table, conversationId, key.message(one))));
  return onlyReadable(
    StoredMessage,
    rows.flatMap((row) => row ?? []),
  ).filter(({ readBySeq }) => readBySeq === seq);
}

async function ofCall(table: Table, { conversationId, callId }: CallFact): Promise<Attributes> {
  const call = await readCall(table, conversationId, callId);
  if (!call) return {};
  const { arguments: args, result } = call;
  return {
    ...(await attribute(names.toolArguments, args)),
    ...(result !== undefined && (await attribute(names.toolResult, result))),
  };
}
