import type { Call, Callback, Conversation, FilePart, Message, Part } from '../api-types';
import { asksFor } from '../decisions/asks-for';
import { decisionLines } from '../decisions/decision';
import type { ConversationHead } from '../live/protocol';
import { isSettled } from '../status';
import { filesIn, partsOf } from './files';
import { errorOf, isReply, type Move, type Seen } from './moves';

/** AG-UI's events. A conversation is a thread, and what follows until it rests is a run of the protocol. */
export type AgUiEvent = { type: string } & Record<string, unknown>;

/**
 * @param whole the conversation, if these moves need it (`replaces`). The protocol has no event for that but a snapshot of all messages.
 */
export function agUiEvents(moves: readonly Move[], whole?: Conversation): AgUiEvent[] {
  return moves.flatMap((move) => eventsOf(move, whole));
}

/** Whether these moves need the whole conversation: they replace what was told before, or tell of parts, for which there is no event. */
export const replaces = (moves: readonly Move[]): boolean =>
  moves.some((move) => move.kind === 'replaced' || (move.kind === 'said' && hasParts(move.message)));

const hasParts = (message: Message) => message.parts !== undefined && isForPeople(message);

function eventsOf(move: Move, whole: Conversation | undefined): AgUiEvent[] {
  switch (move.kind) {
    case 'goes-on':
      return [stateOf(move.head)];
    case 'step':
      return [];
    case 'replaced': {
      const messageId = idOf(move.message);
      return [{ type: 'TEXT_MESSAGE_END', messageId }, ...(whole ? [snapshotOf(whole, move.message.seq)] : [])];
    }
    case 'text':
      return textEvents(move.message, move);
    case 'sources': {
      const value = { messageId: idOf(move.message), sources: move.pages };
      return [{ type: 'CUSTOM', name: 'sources', value }];
    }
    case 'files': {
      const value = { messageId: idOf(move.message), files: move.files.map(filePart) };
      return [{ type: 'CUSTOM', name: 'files', value }];
    }
    case 'said':
      // The end of a very long conversation is in no snapshot: the words are told then.
      if (hasParts(move.message) && whole?.messages.some(({ seq }) => seq === move.message.seq))
        return [snapshotOf(whole, move.message.seq + 1)];
      return isForPeople(move.message)
        ? textEvents(move.message, { begins: true, delta: move.message.text, ended: true })
        : [];
    case 'call': {
      const toolCallId = move.call.id;
      return [
        { type: 'TOOL_CALL_START', toolCallId, toolCallName: move.call.tool, parentMessageId: idOf(move.reply) },
        { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(move.call.arguments) },
        { type: 'TOOL_CALL_END', toolCallId },
      ];
    }
    case 'asked':
      return [];
    case 'decided': {
      const { arguments: edited } = move.decision;
      const value = { toolCallId: move.call.id, arguments: edited };
      return edited === undefined ? [] : [{ type: 'CUSTOM', name: 'edited-arguments', value }];
    }
    case 'settled':
      return [{ type: 'TOOL_CALL_RESULT', ...resultOf(move.call) }];
    case 'rest':
      return restEvents(move);
  }
}

/** The messages before a `seq`. */
const snapshotOf = ({ messages, calls }: Conversation, before: number): AgUiEvent => ({
  type: 'MESSAGES_SNAPSHOT',
  messages: agUiMessages({ messages: messages.filter(({ seq }) => seq < before), calls }),
});

function textEvents(
  message: Message,
  { begins, delta, ended }: { begins: boolean; delta: string; ended: boolean },
): AgUiEvent[] {
  const { role, author } = message;
  const messageId = idOf(message);
  return [
    ...(begins ? [{ type: 'TEXT_MESSAGE_START', messageId, role, ...(role !== 'user' && { name: author }) }] : []),
    ...(delta === '' ? [] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }]),
    ...(ended ? [{ type: 'TEXT_MESSAGE_END', messageId }] : []),
  ];
}

function restEvents({ head, open }: Extract<Move, { kind: 'rest' }>): AgUiEvent[] {
  const { status, run } = head;
  const reason = run?.reason ?? head.reason;
  const state = stateOf(head);
  const ids = { threadId: head.id, runId: run?.id ?? head.id };
  if (status === 'failed' || status === 'limited')
    return [state, { type: 'RUN_ERROR', message: reason ?? `The run is ${status}.`, code: status }];
  const interrupts = open.map(interruptOf);
  const outcome =
    interrupts.length > 0
      ? { type: 'interrupt', interrupts }
      : status === 'cancelled'
        ? { type: 'cancelled' }
        : { type: 'success', pendingToolCallIds: [] };
  return [state, { type: 'RUN_FINISHED', ...ids, outcome }];
}

const stateOf = ({ status, until, waitsFor, agent, reason, run }: ConversationHead): AgUiEvent => ({
  type: 'STATE_SNAPSHOT',
  snapshot: { status, until, waitsFor, agent, reason: run?.reason ?? reason, result: run?.result },
});

const interruptOf = (asked: Callback) => {
  const { id, kind, prompt, callId, expiresAt, tool, arguments: args, fields } = asked;
  const isApproval = asksFor(kind, 'decision');
  return {
    id,
    reason: kind,
    message: (isApproval ? decisionLines(asked) : [prompt]).join('\n'),
    ...(callId && { toolCallId: callId }),
    responseSchema: isApproval ? decisionSchema : answerSchema,
    expiresAt,
    ...(tool && { metadata: { tool, arguments: args, fields } }),
  };
};

const text = { type: 'string' };
const decisionSchema = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: text, arguments: { type: 'object' } },
  required: ['approved'],
};
const answerSchema = { type: 'object', properties: { answer: text }, required: ['answer'] };

/** Returns the messages of a conversation in the protocol's form. */
export function agUiMessages({ messages, calls }: Pick<Seen, 'messages' | 'calls'>): AgUiMessage[] {
  return messages
    .filter((message) => isReply(message) || isForPeople(message))
    .flatMap((message) => {
      const { role, author, text, parts, runId, step } = message;
      const content = role === 'user' && parts ? partsOf(message).map(contentPart) : text;
      const made = isReply(message) ? calls.filter((call) => call.runId === runId && call.step === step) : [];
      const toolCalls = made
        .toSorted((a, b) => a.index - b.index)
        .map(({ id, tool, arguments: args }) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(args) },
        }));
      const said = role === 'user' ? { content } : { content, name: author };
      const own = {
        id: idOf(message),
        role,
        ...((content !== text || text.trim() !== '' || toolCalls.length === 0) && said),
      };
      const results = made
        .filter(({ status }) => isSettled(status))
        .map((call) => ({ ...resultOf(call), id: `r-${call.id}`, role: 'tool' }));
      // The protocol's replies have text alone.
      const files = isReply(message) ? filesIn(parts).map(filePart) : [];
      if (isReply(message) && text.trim() === '' && made.length + files.length === 0) return [];
      return [
        {
          ...own,
          ...(toolCalls.length > 0 && { toolCalls }),
          ...(files.length > 0 && { metadata: { files } }),
        },
        ...results.map(({ messageId: _, ...result }) => result),
      ];
    });
}
export type AgUiMessage = { id: string; role: string; content?: string | ContentPart[] } & Record<string, unknown>;

/** A part of a message's content. Bytes are never in it: the source of a file is its id. */
interface ContentPart {
  type: string;
  text?: string;
  source?: { type: 'file'; value: string; provider: string; mimeType: string };
  metadata?: unknown;
}

/** The name of Vigil as the provider of a file's id. */
export const provider = 'vigil';
/** Says of a text that it is JSON, for which the protocol has no part. */
export const jsonMetadata = { type: 'data' };

function contentPart(part: Part): ContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return part.type === 'data'
    ? { type: 'text', text: JSON.stringify(part.data), metadata: jsonMetadata }
    : filePart(part);
}

function filePart({ id, mediaType, filename, size, sources }: FilePart): ContentPart {
  const [kind = ''] = mediaType.split('/');
  return {
    type: ['image', 'audio', 'video'].includes(kind) ? kind : 'document',
    source: { type: 'file', value: id, provider, mimeType: mediaType },
    metadata: { size, ...(filename !== undefined && { filename }), ...(sources && { sources }) },
  };
}

/** A client that has chosen an id for its message knows the message by it. */
const idOf = ({ seq, clientMessageId }: Message): string => clientMessageId ?? `m${seq}`;

/** Not a summary, and not an answer, which is the result of its call. */
const isForPeople = ({ role, callId, covers }: Message): boolean =>
  covers === undefined && !(role === 'user' && callId !== undefined);

function resultOf(call: Call) {
  const { id: toolCallId, status, result } = call;
  const said = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  const files = status === 'completed' ? filesIn(result) : [];
  const text = status === 'completed' ? said : errorOf(call);
  const content = files.length > 0 ? [{ type: 'text', text }, ...files.map(filePart)] : text;
  return { messageId: `r-${toolCallId}`, toolCallId, content };
}
