import { isForPeople } from 'vigil-client/shared';
import { Piece, ReadMark } from '../../base/state/schemas';
import { userIn } from '../../conversations/agent/approvers';
import { roleIn, takerIn, usersIn } from '../../conversations/members/role';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import { isHandedOver } from '../../conversations/rows/owned';
import { metaAtLeast, parsedAs } from '../../conversations/rows/readable';
import { type StoredCallback, StoredTimer } from '../../conversations/rows/rows';
import { isEnd } from '../../conversations/store/pieces';
import {
  isSeenOtherwise,
  seenByOthers,
  sharedSummary,
  shownCall,
  shownCallback,
  shownConversation,
  shownMessage,
  shownSummary,
  shownTimer,
} from '../views/shown';
import type { ListRow, LiveRow, PieceRow, ServerMessage } from './live';
import { framesOf } from './live-frames';
import { approvalsTopic, conversationTopic, listTopic } from './subscriptions';

/** A row of the conversation table after a change and, unless it is new, before the change: both with their keys. */
export interface RowChange {
  conversationId: string;
  sk: string;
  row: object;
  before?: object;
}

/** A row of a user's own, which is in no conversation, after a change and before it. */
export interface UserChange {
  user: string;
  sk: string;
  row: object;
  before?: object;
}

/** Messages for all subscribers of a topic; its owner may get others. */
export interface Push {
  topic: string;
  /** The conversation that they are about, if it is one. */
  conversationId?: string;
  frames: string[];
  /** What the conversation's owner gets instead of `frames`. */
  ofOwner?: { owner: string; frames: string[] };
  /** Whether the topic ends after these messages. */
  last?: true;
}

export interface Broadcast {
  pushes: Push[];
  /** Errors of rows that cannot be read. They must not block the others. */
  unreadable: Error[];
}

/**
 * Returns the pushes for a batch of changes in stream order: the newest image of each row for the conversation's topic, each changed
 * conversation's summary and timer for its owner's list, and a notice for each decider for whom something has begun or ceased to wait.
 */
export function broadcastOf(changes: readonly RowChange[], now: Date): Broadcast {
  const newest = new Map(changes.map((change) => [`${change.conversationId} ${change.sk}`, change]));
  const rows = new Map<string, (LiveRow | PieceRow)[]>();
  /** The heads that owners see. */
  const heads = new Map<string, { owner: string; head: LiveRow }>();
  const lists = new Map<string, ListRow[]>();
  const reads: Push[] = [];
  const deleted: { conversationId: string; users: string[] }[] = [];
  const members = membersChanges(changes);
  const invited = members.flatMap(({ meta, was }) => invitedChanges(meta, was));
  const removed = members.flatMap(({ meta, was }) =>
    usersIn(was)
      .filter((user) => roleIn(meta, user) === undefined)
      .map((user) => ({ conversationId: meta.conversationId, user })),
  );
  const unreadable: Error[] = [];
  for (const { conversationId, sk, row } of newest.values()) {
    try {
      const meta = sk === key.meta ? metaAtLeast(row) : undefined;
      if (meta?.deletedFor) {
        deleted.push({ conversationId, users: [meta.deletedFor, ...usersIn(meta)] });
        invited.push(...invitedChanges(undefined, meta));
      } else if (meta) {
        add(lists, meta.owner, { kind: 'conversation', row: shownSummary(meta) });
        for (const user of usersIn(meta))
          add(lists, user, { kind: 'conversation', row: sharedSummary(meta, roleIn(meta, user)!) });
      }
      if (sk.startsWith(key.readMark(''))) reads.push(readPush(conversationId, row));
      if (meta && isSeenOtherwise(meta)) heads.set(conversationId, { owner: meta.owner, head: shownHead(meta) });
      const shown = meta ? shownHead(seenByOthers(meta)) : shownRow(sk, row, now);
      if (shown) add(rows, conversationId, shown);
      if (shown?.kind === 'timer') add(lists, parsedAs(StoredTimer, row).user, { ...shown, conversationId });
    } catch (error) {
      unreadable.push(error as Error);
    }
  }
  for (const { conversationId } of deleted) rows.delete(conversationId);
  const pushes = [
    ...[...rows].map(([conversationId, list]) => {
      const { owner = '', head } = heads.get(conversationId) ?? {};
      const owned = head && list.map((one) => (one.kind === 'conversation' ? head : one));
      return {
        topic: conversationTopic(conversationId),
        conversationId,
        frames: framesOf({ conversationId }, list),
        ...(owned && { ofOwner: { owner, frames: framesOf({ conversationId }, owned) } }),
      };
    }),
    ...[...lists].map(([user, list]) => ({ topic: listTopic(user), frames: framesOf({ list: true }, list) })),
    ...reads.filter((one) => !deleted.some(({ conversationId }) => conversationId === one.conversationId)),
    ...deleted.flatMap(removedRowPushes),
    ...removed.map(({ conversationId, user }) => ({ topic: listTopic(user), frames: [goneFrame(conversationId)] })),
    ...[...new Set(invited)].map((user) => ({
      topic: listTopic(user),
      frames: [invitationNotice],
    })),
    ...[...new Set(changes.flatMap(noticedBy))].map((decider) => ({
      topic: approvalsTopic(decider),
      frames: [notice],
    })),
  ];
  return { pushes, unreadable };
}

const notice = JSON.stringify({ type: 'changed', approvals: true } satisfies ServerMessage);
const invitationNotice = JSON.stringify({ type: 'changed', list: true } satisfies ServerMessage);

/** Returns the lists of approvals that the change concerns: something is in one or is no more, was decided by one of several or assigned, or reminds. */
function noticedBy({ row, before }: RowChange): string[] {
  const [is, was] = [row, before ?? {}] as [Partial<StoredCallback>, Partial<StoredCallback>];
  const news = ({ openFor, told, decisions, assigned }: Partial<StoredCallback>) =>
    [openFor, told, decisions?.length, assigned?.at, assigned?.to].join(' ');
  if (!isForPeople(is.kind) || news(is) === news(was)) return [];
  return [is.openFor, was.openFor].filter((decider) => decider !== undefined);
}

/** Returns the users whose invitation is new, another one, or gone. */
function invitedChanges(meta: Meta | undefined, was: Meta): string[] {
  const invited = (name: string, one?: Meta) => one?.members?.[name]?.invited && one.members[name].role;
  return Object.keys({ ...meta?.members, ...was.members })
    .filter((name) => invited(name, meta) !== invited(name, was))
    .flatMap((name) => userIn(name) ?? []);
}

const shownHead = (meta: Meta): LiveRow => ({ kind: 'conversation', row: shownConversation(meta) });

function shownRow(sk: string, row: object, now: Date): LiveRow | PieceRow | undefined {
  if (sk.startsWith(key.messages)) return { kind: 'message', row: shownMessage(row) };
  if (sk.startsWith(key.pieces)) return isEnd(row) ? undefined : { kind: 'piece', row: Piece.parse(row) };
  if (sk.startsWith(key.call(''))) return { kind: 'call', row: shownCall(row) };
  if (sk.startsWith(key.callback(''))) return { kind: 'callback', row: shownCallback(row, now) };
  const timer = sk.startsWith(key.timer('')) && shownTimer(parsedAs(StoredTimer, row));
  return timer ? { kind: 'timer', row: timer } : undefined;
}

const goneFrame = (conversationId: string) =>
  JSON.stringify({ type: 'deleted', conversationId } satisfies ServerMessage);

function readPush(conversationId: string, row: object): Push {
  const mark = ReadMark.parse(row);
  const frames = [JSON.stringify({ type: 'read', conversationId, ...mark } satisfies ServerMessage)];
  return { topic: conversationTopic(conversationId), conversationId, frames };
}

/** A change of who is in a conversation, and as what: META before and after. */
interface MembersChange {
  meta: Meta;
  was: Meta;
  hasNewOwner: boolean;
}

/** Returns the changes of who is in a conversation. */
export function membersChanges(changes: readonly RowChange[]): MembersChange[] {
  const ofPeople = (row: object) => {
    const { owner, membersVersion } = row as { owner?: unknown; membersVersion?: unknown };
    return `${membersVersion} ${owner} ${takerIn(row as Meta)?.user}`;
  };
  return changes
    .flatMap(({ sk, row, before }) =>
      sk === key.meta && before && ofPeople(before) !== ofPeople(row)
        ? [{ meta: metaAtLeast(row), was: metaAtLeast(before), hasNewOwner: isHandedOver(row, before) }]
        : [],
    )
    .filter(
      ({ meta, was, hasNewOwner }) =>
        meta.membersVersion !== was.membersVersion || hasNewOwner || takerIn(meta)?.user !== takerIn(was)?.user,
    );
}

function removedRowPushes({ conversationId, users }: { conversationId: string; users: string[] }): Push[] {
  const frames = [goneFrame(conversationId)];
  return [
    { topic: conversationTopic(conversationId), conversationId, frames, last: true },
    ...users.map((user) => ({ topic: listTopic(user), frames })),
  ];
}

function add<Key, One>(groups: Map<Key, One[]>, at: Key, one: One): void {
  const group = groups.get(at);
  if (group) group.push(one);
  else groups.set(at, [one]);
}
