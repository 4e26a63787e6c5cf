/**
 * The key prefix of each kind of row. `pk` is the conversation or the user, `sk` the kind, often with an id. `core/conversations/rows/kinds.ts` says
 * what each kind is, and does not compile without one that is here.
 */
export const prefix = {
  meta: 'META',
  given: 'GIVEN',
  message: 'M#',
  piece: 'PIECE#',
  call: 'CALL#',
  /** Not under CALL#, so that the page's query skips it. */
  part: 'PART#',
  callback: 'CALLBACK#',
  timer: 'TIMER#',
  todos: 'TODO#',
  note: 'NOTE#',
  clientMessage: 'SENT#',
  branch: 'FORK#',
  link: 'LINK#',
  readMark: 'READ#',
  shared: 'SHARED#',
  memory: 'MEMORY#',
  embedding: 'SAID#',
  embedded: 'TALK#',
  standing: 'STANDING#',
  absence: 'ABSENCE',
  standIn: 'INSTEAD#',
  seenDeciders: 'DECIDES',
  settings: 'SETTINGS',
  ignored: 'IGNORED',
  grantsEnded: 'GRANTS',
  counts: 'COUNTS',
  spent: 'SPENT#',
  progress: 'RECONCILE',
  reply: 'REPLY',
  file: 'FILE#',
  fileSums: 'SUMS',
} as const;
export type RowKind = keyof typeof prefix;

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

/** The keys of rows, by kind. */
export const key = {
  conversation: (conversationId: string) => `C#${conversationId}`,
  /** The partition with what belongs to a user and to no conversation. */
  user: (user: string) => `U#${user}`,
  /** The partition of a user's counts and spending. It is apart from memories, because more functions change it. */
  counted: (user: string) => `N#${user}`,
  /** The partition of a user's files. It is apart from memories, as that of counts is. */
  filesOf: (user: string) => `F#${user}`,
  /** The partition of the vectors of what was said in a user's conversations. Every search by meaning reads it. */
  saidTo: (user: string) => `E#${user}`,
  /** The partition of what is shared with a user or a group, by the name of a member: `user:<sub>`, or `group:<name>`. */
  sharedWith: (name: string) => `S#${name}`,
  /** The partition of Vigil's own progress. */
  own: 'V#',
  /** The partitions of replies that providers make in the background. */
  replies: 'R#',
  ofReply: (provider: string, id: string) => `${key.replies}${provider}#${id}`,
  meta: prefix.meta,
  given: prefix.given,
  messages: prefix.message,
  message: (seq: number) => `${prefix.message}${padded(seq, 10)}`,
  pieces: prefix.piece,
  piecesOf: ({ seq, attempt }: { seq: number; attempt: number }) =>
    `${prefix.piece}${padded(seq, 10)}#${padded(attempt, 5)}#`,
  piece: (place: { seq: number; attempt: number; from: number }) => `${key.piecesOf(place)}${padded(place.from, 7)}`,
  call: (callId: string) => `${prefix.call}${callId}`,
  part: (callId: string, writer: string, part: number) => `${prefix.part}${callId}#${writer}#${padded(part, 3)}`,
  timer: (timerId: string) => `${prefix.timer}${timerId}`,
  todos: (id: string) => `${prefix.todos}${id}`,
  callback: (callbackId: string) => `${prefix.callback}${callbackId}`,
  branch: (conversationId: string) => `${prefix.branch}${conversationId}`,
  link: (id: string) => `${prefix.link}${id}`,
  readMark: (user: string) => `${prefix.readMark}${user}`,
  shared: (conversationId: string) => `${prefix.shared}${conversationId}`,
  note: (agent: string, callId: string) => `${prefix.note}${agent}#${callId}`,
  /** A user's id is what their identity provider says, so it is encoded: no two pairs have one key. */
  sent: (user: string, clientMessageId: string) =>
    `${prefix.clientMessage}${encodeURIComponent(user)}#${clientMessageId}`,
  memory: (id: string) => `${prefix.memory}${id}`,
  embeddings: (conversationId: string) => `${prefix.embedding}${conversationId}#`,
  embedding: (conversationId: string, seq: number) => `${key.embeddings(conversationId)}${padded(seq, 10)}`,
  embedded: (conversationId: string) => `${prefix.embedded}${conversationId}`,
  absence: prefix.absence,
  standIns: prefix.standIn,
  standIn: (user: string) => `${prefix.standIn}${user}`,
  seenDeciders: prefix.seenDeciders,
  standings: prefix.standing,
  standing: (id: string) => `${prefix.standing}${id}`,
  file: (id: string) => `${prefix.file}${id}`,
  fileSums: prefix.fileSums,
  counts: prefix.counts,
  settings: prefix.settings,
  ignored: prefix.ignored,
  grantsEnded: prefix.grantsEnded,
  spent: prefix.spent,
  reconcile: prefix.progress,
  reply: prefix.reply,
};

/** Returns the conversation in whose partition a row is. */
export const conversationIn = (pk: string): string => pk.slice(key.conversation('').length);

/** The kinds of rows whose id is in their key, and again in a field. */
const named = [prefix.call, prefix.callback, prefix.timer, prefix.meta] as const;

/** Returns a row with the ids that its key has. A field that names another id is not believed, or a write would miss the row. */
export function withIdsOfKey(row: Record<string, unknown>): Record<string, unknown> {
  const { pk, sk, id, conversationId } = row;
  if (typeof pk !== 'string' || typeof sk !== 'string') return row;
  const kind = named.find((one) => sk.startsWith(one));
  if (kind === undefined) return row;
  const namesConversation = kind === prefix.timer || kind === prefix.meta;
  return {
    ...row,
    ...(typeof id === 'string' && { id: sk.slice(kind.length) }),
    ...(namesConversation && typeof conversationId === 'string' && { conversationId: conversationIn(pk) }),
  };
}
