import * as z from 'zod';
import { kindsOfModules } from '../../../modules/rows';
import { Branch, Piece } from '../../base/state/schemas';
import { UnreadableRow } from '../../base/text/errors';
import { Locale } from '../../base/time/time-zone';
import type { NewCode, Said } from '../check/finding';
import { FileRow } from '../files/file-row';
import { key, prefix, type RowKind } from './keys';
import { Meta } from './meta';
import {
  EmbeddedRow,
  EmbeddingRow,
  GrantsEnded,
  IgnoredRow,
  Memory,
  ReplyPlace,
  SeenDeciders,
  SharedRow,
  StoredAbsence,
  StoredCall,
  StoredCallback,
  StoredGiven,
  StoredLink,
  StoredMessage,
  StoredNote,
  StoredReadMark,
  StoredStandIn,
  StoredStanding,
  StoredTimer,
} from './rows';
import { bytesOf, mostRowBytes } from './size';
import { StoredTodos } from './todo';

/** The properties of a kind of row. */
interface Kind {
  /** The content of the row, as a sentence. */
  about: string;
  /** The beginning of its partition's key. */
  partition: string;
  /** Reads it. A write is checked by the same schema, so what is stored can be read. */
  schema: z.ZodType;
  /** Whether it has words of a person, or of a model about a person. */
  words: boolean;
  /** Whether a fork copies it. */
  forked: boolean;
  /**
   * The time when it expires.
   *
   * - `with its conversation`: the deletion marks it.
   * - `last`: after all other rows of the deleted conversation, because it says that they are to expire.
   * - `by itself`: its writer says when.
   * - `with what it names`: the row is in another conversation than it is about, and that one's deletion marks it.
   * - `never`: it stays until its owner removes it.
   */
  expires: 'with its conversation' | 'last' | 'by itself' | 'with what it names' | 'never';
  /**
   * The upgrades of its rows, one for each format after the first (`formats.ts`). An upgrade leaves alone what is new already: a write of
   * some fields does not change the others.
   */
  upgrades?: readonly ((row: Record<string, unknown>) => Record<string, unknown>)[];
}

const Ended = z.object({ end: z.literal(true) });
/** Numbers that are only added to. Their names are months' days and counts. */
const Sums = z.looseObject({});

/** Before there were deciders, a callback named the user. */
function withDecider({ mayAnswer, ...row }: Record<string, unknown>): Record<string, unknown> {
  return typeof mayAnswer === 'string' ? { decider: `user:${mayAnswer}`, ...row } : row;
}

const ofConversation = {
  partition: key.conversation(''),
  words: true,
  forked: false,
  expires: 'with its conversation',
} as const;
const ofUser = { partition: key.user(''), words: false, forked: false, expires: 'never' } as const;

/**
 * The kernel's kinds of rows of the conversation table. Forks derive from them; writes, deletions and docs/rows.md also from those of modules.
 * Rows of other kinds are a tool's own, which checks them itself.
 */
const kinds = {
  meta: {
    ...ofConversation,
    about: 'the conversation and its latest run. Its version fences every append and every step',
    schema: Meta,
    expires: 'last',
  },
  given: {
    ...ofConversation,
    about: 'what was given to the conversation when it was created: metadata, and a fork’s instructions',
    schema: StoredGiven,
  },
  message: { ...ofConversation, about: 'a message', schema: StoredMessage, forked: true },
  piece: {
    ...ofConversation,
    about: 'a piece of a message that is being written',
    schema: z.union([Ended, Piece]),
    expires: 'by itself',
  },
  call: {
    ...ofConversation,
    about: 'a tool call, with its result or the beginning of it',
    schema: StoredCall,
    forked: true,
  },
  part: {
    ...ofConversation,
    about: 'a part of a large, compressed result. A result that replaces another one has another writer in its keys',
    schema: z.object({ data: z.instanceof(Uint8Array) }),
    forked: true,
  },
  callback: {
    ...ofConversation,
    about:
      'an approval, a question, a webhook, a sub-agent or a server’s task that a call waits for, or a reply in the background, with its task tokens',
    schema: StoredCallback,
    upgrades: [withDecider],
  },
  timer: { ...ofConversation, about: 'a timer', schema: StoredTimer },
  todos: {
    ...ofConversation,
    about:
      'what follows from a transaction and is perhaps not done yet: executions to start, stop or resume, and others to tell',
    schema: StoredTodos,
    words: false,
    expires: 'by itself',
  },
  note: { ...ofConversation, about: 'a note that an agent keeps for itself', schema: StoredNote },
  clientMessage: {
    ...ofConversation,
    about:
      'the id that a sender’s client gave to a message, with a digest, so that a message that is sent twice is stored once',
    schema: z.object({ seq: z.number().int(), digest: z.string() }),
    words: false,
  },
  branch: {
    ...ofConversation,
    about: 'of the root of a family: a fork, and where it departs',
    schema: Branch,
    words: false,
    expires: 'with what it names',
  },
  link: {
    ...ofConversation,
    about: 'a link by which people come into the conversation. It has the digest of its secret',
    schema: StoredLink,
    words: false,
  },
  readMark: {
    ...ofConversation,
    about: 'how far a person has read a conversation of several people',
    schema: StoredReadMark,
    expires: 'by itself',
  },
  shared: {
    ...ofUser,
    partition: key.sharedWith(''),
    about:
      'a conversation that is shared with a user or a group, or to which a user is invited. Who may read it is in its META alone',
    schema: SharedRow,
    expires: 'with what it names',
  },
  memory: { ...ofUser, about: 'a fact that an agent remembers about its user', schema: Memory, words: true },
  embedding: {
    ...ofUser,
    partition: key.saidTo(''),
    about: 'the vector of a message, by which it is found by meaning. Its words are in the message alone',
    schema: EmbeddingRow,
    // Who has a vector and its model can guess at the words.
    words: true,
    expires: 'with what it names',
  },
  embedded: {
    ...ofUser,
    partition: key.saidTo(''),
    about: 'up to which message a conversation is embedded. Its version fences the vectors',
    schema: EmbeddedRow,
    expires: 'with what it names',
  },
  absence: {
    ...ofUser,
    about: 'who decides in the place of the user, who is absent',
    schema: StoredAbsence,
    expires: 'by itself',
  },
  standIn: {
    ...ofUser,
    about: 'an absent approver in whose place the user decides',
    schema: StoredStandIn,
    expires: 'by itself',
  },
  seenDeciders: {
    ...ofUser,
    about: 'as which approvers and under which name the user was last seen, so that approvals can be assigned to them',
    schema: SeenDeciders,
    words: true,
    expires: 'by itself',
  },
  standing: {
    ...ofUser,
    about: 'a standing approval of the user: what agents may do without asking, within which limits, and what they did',
    schema: StoredStanding,
    words: true,
    expires: 'by itself',
  },
  file: {
    ...ofUser,
    partition: key.filesOf(''),
    about: 'a file of the user, and the conversations that refer to it. Its bytes are in the files’ store',
    schema: FileRow,
    expires: 'by itself',
  },
  fileSums: {
    ...ofUser,
    partition: key.filesOf(''),
    about: 'how many files the user has, and the bytes of all, or of those that were begun on each day of a month',
    schema: Sums,
  },
  settings: { ...ofUser, about: 'the user’s time zone and language', schema: Locale },
  ignored: {
    ...ofUser,
    about: 'the people and conversations of which the user does not want to hear',
    schema: IgnoredRow,
  },
  grantsEnded: {
    ...ofUser,
    about: 'when the user ended what works without a token: tokens from before grant nothing more',
    schema: GrantsEnded,
  },
  counts: {
    ...ofUser,
    partition: key.counted(''),
    about: 'how many runs, conversations and timers the user has',
    schema: Sums,
  },
  spent: { ...ofUser, partition: key.counted(''), about: 'what the user spends in a month', schema: Sums },
  progress: {
    ...ofUser,
    partition: key.own,
    about: 'where Reconcile continues',
    schema: z.object({ cursor: z.string().optional() }),
  },
  reply: {
    ...ofUser,
    partition: key.replies,
    about: 'the callback that waits for a reply in the background, by the provider’s id',
    schema: ReplyPlace,
    expires: 'by itself',
  },
} as const satisfies Record<RowKind, Kind>;

/** The kinds that a fork copies. */
export type ForkedKind = { [Name in RowKind]: (typeof kinds)[Name]['forked'] extends true ? Name : never }[RowKind];

/** A kind of row as a module brings it: the module has its kinds in its file `rows.ts`, which `modules/rows.ts` lists. */
export interface NamedKind extends Omit<Kind, 'forked'> {
  name: string;
  /** The beginning of its sort key. */
  prefix: string;
  /** Returns what its rows use of the code; by default, nothing. Those of the kernel are in `core/conversations/check/uses.ts`. */
  uses?(row: never, code: NewCode): Said[];
}

/** The kernel's kinds and those of modules, of which a fork copies none. */
export const allKinds: readonly (NamedKind & { forked?: boolean })[] = [
  ...(Object.keys(kinds) as RowKind[]).map((name) => ({ ...kinds[name], name, prefix: prefix[name] })),
  ...kindsOfModules,
];

/** Returns the kind of a row; undefined for a tool's own. */
export const kindOf = (pk: string, sk: string): NamedKind | undefined =>
  allKinds.find((kind) => pk.startsWith(kind.partition) && sk.startsWith(kind.prefix));

/** Returns the row as a fork has it: the fields that its schema knows, without those that are of its conversation. */
export function copied(row: Record<string, unknown> & { pk: string; sk: string }): Record<string, unknown> {
  const schema = schemaOf(row.pk, row.sk);
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return Object.fromEntries(
    known.filter((name) => Object.hasOwn(row, name) && name !== 'ttl').map((name) => [name, row[name]]),
  );
}

export const schemaOf = (pk: string, sk: string): z.ZodType | undefined => kindOf(pk, sk)?.schema;

/** The content that a write stores, as far as a schema describes it. */
interface Stored {
  pk: string;
  sk: string;
  /** All fields of a row. */
  put?: object;
  /** Some fields of a row. */
  set?: Record<string, unknown>;
  remove?: readonly string[];
  add?: Record<string, number>;
}

/** @throws UnreadableRow if the row could not be read afterwards, or is too large to be stored. */
export function assertReadable({ pk, sk, put, set = {}, remove = [], add = {} }: Stored): void {
  const row = { ...put, ...set, pk, sk };
  const bytes = bytesOf(row);
  if (bytes > mostRowBytes) {
    const [largest] = Object.entries(row).sort(([, one], [, other]) => bytesOf(other) - bytesOf(one))[0]!;
    throw new UnreadableRow(
      sk,
      largest,
      `the row has ${bytes} bytes, and at most ${mostRowBytes} are stored`,
      'written',
    );
  }
  for (const [field, number] of Object.entries(add))
    if (!Number.isSafeInteger(number)) throw new UnreadableRow(sk, field, 'it is not a whole number', 'written');
  const schema = schemaOf(pk, sk);
  if (!schema) return;
  if (put) {
    const { error } = schema.safeParse(row);
    if (error) throw UnreadableRow.of(sk, error, 'written');
  }
  if (!(schema instanceof z.ZodObject)) return;
  const check = (field: string, value: unknown) => {
    const { error } = (schema.shape[field] as z.ZodType | undefined)?.safeParse(value) ?? {};
    if (error) throw UnreadableRow.of(sk, error, 'written', field);
  };
  for (const [field, value] of Object.entries(set)) if (value !== undefined) check(field, value);
  for (const field of remove) check(field, undefined);
}
