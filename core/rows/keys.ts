/**
 * The rows of the conversation table. `pk` is the conversation, `sk` the kind of row:
 *
 *     META              the conversation and its latest run; its `version` fences every append and every step
 *     M#<seq>           a message
 *     PIECE#<seq>#<attempt>#<from>  a piece of a message that is being written (`core/store/pieces.ts`)
 *     CALL#<callId>     a tool call, with its result or the beginning of it
 *     PART#<callId>#<writer>#<n> a part of a large, compressed result (not under CALL#, so the page's query skips it). A result that replaces
 *                       another one has another writer, so parts of the old one are not read
 *     CALLBACK#<id>     a callback, with its task tokens
 *     TIMER#<id>        a timer
 *     NOTE#<agent>#<id> an agent's own note
 *     SENT#<id>         a client's message id, so a message that is sent twice is stored once
 *     FORK#<id>         of the root of a family: a fork, and where it departs
 */
export const key = {
  conversation: (conversationId: string) => `C#${conversationId}`,
  /** The partition with what belongs to a user and to no conversation. */
  user: (user: string) => `U#${user}`,
  /** The partition of a user's counts and spending. It is apart from memories, because more functions change it. */
  counted: (user: string) => `N#${user}`,
  /** The partition of Vigil's own progress. */
  own: 'V#',
  meta: 'META',
  messages: 'M#',
  message: (seq: number) => `${key.messages}${String(seq).padStart(10, '0')}`,
  pieces: 'PIECE#',
  piecesOf: ({ seq, attempt }: { seq: number; attempt: number }) =>
    `${key.pieces}${String(seq).padStart(10, '0')}#${String(attempt).padStart(5, '0')}#`,
  piece: (place: { seq: number; attempt: number; from: number }) =>
    `${key.piecesOf(place)}${String(place.from).padStart(7, '0')}`,
  call: (callId: string) => `CALL#${callId}`,
  parts: 'PART#',
  part: (callId: string, writer: string, part: number) =>
    `${key.parts}${callId}#${writer}#${String(part).padStart(3, '0')}`,
  timer: (timerId: string) => `TIMER#${timerId}`,
  callback: (callbackId: string) => `CALLBACK#${callbackId}`,
  branch: (conversationId: string) => `FORK#${conversationId}`,
  sent: (clientMessageId: string) => `SENT#${clientMessageId}`,
  /** Where Reconcile continues. */
  reconcile: 'RECONCILE',
  /** How many runs, conversations and timers a user has. */
  counts: 'COUNTS',
  /** A user's time zone and language. */
  settings: 'SETTINGS',
  /** What a user spends in a month. */
  spent: 'SPENT#',
};

/** Returns the conversation in whose partition a row is. */
export const conversationIn = (pk: string): string => pk.slice(key.conversation('').length);

/** The kinds of rows whose id is in their key, and again in a field. */
const named = [key.call(''), key.callback(''), key.timer('')];

/** Returns a row with the ids that its key has. A field that names another id is not believed, or a write would miss the row. */
export function withIdsOfKey(row: Record<string, unknown>): Record<string, unknown> {
  const { pk, sk, id, conversationId } = row;
  if (typeof pk !== 'string' || typeof sk !== 'string') return row;
  const prefix = named.find((one) => sk.startsWith(one));
  if (prefix === undefined) return row;
  const isTimer = prefix === key.timer('');
  return {
    ...row,
    ...(typeof id === 'string' && { id: sk.slice(prefix.length) }),
    ...(isTimer && typeof conversationId === 'string' && { conversationId: conversationIn(pk) }),
  };
}
