import type { Call, FilePart, Message, Part } from '../api-types';
import { asksFor } from '../decisions/asks-for';
import { decisionLines } from '../decisions/decision';
import type { ConversationHead } from '../live/protocol';
import { fileUrl, partsOf } from './files';
import { errorOf, type Move } from './moves';
import { type Place, positionText } from './position';

/**
 * The AI SDK's UI message stream, as `useChat` reads it. One of its messages is a turn: all that follows a message of a person, step by
 * step. Its metadata has the position in the stream, so a client that has the message can go on from it.
 */
export type Chunk = { type: string } & Record<string, unknown>;

/** The state of the conversation when it rests or continues, as the part `data-run`. */
export type RunData = Pick<ConversationHead, 'status' | 'until' | 'waitsFor' | 'reason'> & {
  question?: string;
};
/** A message of somebody else in the middle of a turn, as the part `data-message`. */
export type MessageData = Pick<Message, 'seq' | 'role' | 'author' | 'text' | 'createdAt'> & {
  /** Its parts, as a message of the person has them, if there are others than one text. */
  parts?: UserPart[];
};

/** A part of a person's message. */
export type UserPart =
  | { type: 'text'; text: string }
  | { type: 'data-json'; data: unknown }
  | { type: 'file'; mediaType: string; url: string; filename?: string; providerMetadata: FileMetadata };
type FileMetadata = { vigil: { size: number; filename?: string; sources?: NonNullable<FilePart['sources']> } };

/** Returns the parts of a person's message as the AI SDK has them. */
export const userParts = (message: Pick<Message, 'text' | 'parts'>): UserPart[] => partsOf(message).map(userPart);

function userPart(part: Part): UserPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return part.type === 'data' ? { type: 'data-json', data: part.data } : fileUiPart(part);
}

/** A file as a part of the AI SDK. Its `url` is a reference, and no address that a browser opens. */
export const fileUiPart = ({ id, mediaType, filename, size, sources }: FilePart) => ({
  type: 'file' as const,
  mediaType,
  url: fileUrl(id),
  ...(filename !== undefined && { filename }),
  providerMetadata: { vigil: { size, ...(sources && { sources }) } },
});

/** A file of a reply. The stream has no field for its name, so that is in the metadata. */
function fileChunk(file: FilePart): Chunk {
  const { filename, providerMetadata, ...chunk } = fileUiPart(file);
  return { ...chunk, providerMetadata: { vigil: { ...providerMetadata.vigil, ...(filename && { filename }) } } };
}

/** The id of the message for the turn that begins after a `seq`. */
const turnId = (from: number): string => `turn-${from}`;

export function aiSdkChunks(before: Place, { moves, place }: { moves: Move[]; place: Place }): Chunk[] {
  const isBeginning = before.seq === before.from && !before.part && before.rest === undefined;
  const start: Chunk[] = isBeginning ? [{ type: 'start', messageId: turnId(before.from) }] : [];
  const position: Chunk = { type: 'message-metadata', messageMetadata: { position: positionText(place) } };
  const said = moves.flatMap((move) => (move.kind === 'rest' ? [] : chunksOf(move)));
  const rest = moves.flatMap((move) => (move.kind === 'rest' ? restChunks(move) : []));
  return moves.length === 0 ? [] : [...start, ...said, position, ...rest];
}

function chunksOf(move: Exclude<Move, { kind: 'rest' }>): Chunk[] {
  switch (move.kind) {
    case 'goes-on':
      return [{ type: 'data-run', id: 'run', data: { status: move.head.status } satisfies RunData }];
    case 'step':
      return [{ type: 'start-step' }];
    case 'replaced':
      return [{ type: 'reset-step' }];
    case 'text': {
      const id = `m${move.message.seq}`;
      return [
        ...(move.begins ? [{ type: 'text-start', id }] : []),
        ...(move.delta === '' ? [] : [{ type: 'text-delta', id, delta: move.delta }]),
        ...(move.ended ? [{ type: 'text-end', id }] : []),
      ];
    }
    case 'sources':
      return move.pages.map(({ url, title }, index) => ({
        type: 'source-url',
        sourceId: `m${move.message.seq}-${index + 1}`,
        url,
        title,
      }));
    case 'files':
      return move.files.map(fileChunk);
    case 'said':
      return saidChunks(move.message);
    case 'call':
      return [inputOf(move.call, move.question?.id)];
    case 'asked': {
      const reason = decisionLines(move.approval).join('\n');
      return [{ type: 'tool-approval-request', approvalId: move.approval.id, toolCallId: move.call.id, reason }];
    }
    case 'decided': {
      const { approved, reason, arguments: edited } = move.decision;
      const response = { type: 'tool-approval-response', approvalId: move.approval.id, approved };
      return [...(edited === undefined ? [] : [inputOf(move.call)]), { ...response, ...(reason && { reason }) }];
    }
    case 'settled':
      return [outcomeOf(move.call, move.denied)];
  }
}

/** A tool's own words are the agent's to the person. Nobody needs to see an answer beside its question, or a summary. */
function saidChunks(message: Message): Chunk[] {
  const { seq, role, text, callId, covers } = message;
  if (covers !== undefined || (role === 'user' && callId !== undefined)) return [];
  const id = `m${seq}`;
  if (role !== 'assistant') return [dataOf(message)];
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ];
}

/** A message of somebody else, as a part. */
export const dataOf = ({ seq, role, author, text, parts, createdAt }: Message): Chunk => ({
  type: 'data-message',
  id: `m${seq}`,
  data: {
    seq,
    role,
    author,
    text,
    createdAt,
    ...(parts && { parts: userParts({ text, parts }) }),
  } satisfies MessageData,
});

/** The backend runs the tools, so the page must not. Only the answer to a question is the page's to give. */
const inputOf = ({ id, tool, arguments: input }: Call, questionId?: string): Chunk => ({
  type: 'tool-input-available',
  toolCallId: id,
  toolName: tool,
  input,
  dynamic: true,
  ...(questionId ? { toolMetadata: { questionId } } : { providerExecuted: true }),
});

function outcomeOf(call: Call, denied: boolean): Chunk {
  const { id: toolCallId, status, result } = call;
  if (denied) return { type: 'tool-output-denied', toolCallId };
  if (status === 'completed')
    return { type: 'tool-output-available', toolCallId, output: result ?? null, dynamic: true };
  return { type: 'tool-output-error', toolCallId, errorText: errorOf(call), dynamic: true };
}

function restChunks({
  head: { status, until, waitsFor, reason, run },
  open,
}: Extract<Move, { kind: 'rest' }>): Chunk[] {
  const asked = open.find(({ kind, callId }) => asksFor(kind, 'answer') && callId === undefined);
  const question = asked?.prompt;
  const data = { status, until, waitsFor, reason: run?.reason ?? reason, question } satisfies RunData;
  const rest = { type: 'data-run', id: 'run', data };
  if (status === 'failed' || status === 'limited')
    return [rest, { type: 'error', errorText: data.reason ?? `The run is ${status}.` }];
  if (status === 'cancelled') return [rest, { type: 'abort', reason: data.reason ?? 'The run is cancelled.' }];
  const finishReason = status === 'waiting' ? 'tool-calls' : status === 'sleeping' ? 'other' : 'stop';
  return [rest, { type: 'finish', finishReason }];
}
