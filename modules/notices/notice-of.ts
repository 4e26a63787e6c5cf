import { asksFor, isForPeople } from 'vigil-client/shared';
import { userIn } from '../../core/conversations/agent/approvers';
import { assignmentOf } from '../../core/conversations/approvals/steps';
import { isArranged } from '../../core/conversations/calls/timer';
import { roleIn, usersIn } from '../../core/conversations/members/role';
import { key } from '../../core/conversations/rows/keys';
import { Meta } from '../../core/conversations/rows/meta';
import {
  StoredAbsence,
  StoredCall,
  StoredCallback,
  StoredLink,
  StoredMessage,
  StoredStanding,
  StoredTimer,
} from '../../core/conversations/rows/rows';
import type { RowChange } from '../../core/people/live/broadcast';
import { finishedBy } from '../../core/people/live/finished';
import type { Notice } from './notice';
import { Reach } from './reach';

/**
 * Returns the notice of a change that its user should hear of. It depends only on the row before and after the change, so later changes
 * make no notice, and a repeated change makes the same one. Of the end of a run, those hear who write in the conversation.
 */
export function noticesOf(change: RowChange): Notice[] {
  if (change.sk.startsWith(key.messages)) return mentioned(change);
  if (change.sk.startsWith(key.link(''))) return linked(change);
  const shared = change.sk === key.meta ? newMembers(change) : [];
  return [...shared, ...ofChange(change)];
}

function ofChange(change: RowChange): Notice[] {
  const notice = ofOwner(change);
  if (!notice) return [];
  if (notice.kind !== 'answer' && notice.kind !== 'failure') return [notice];
  const meta = Meta.parse(change.row);
  // Vigil does not know who is in a group.
  const members = usersIn(meta).filter((user) => roleIn(meta, user) === 'member');
  return [notice, ...members.map((user) => ({ ...notice, id: `${notice.id}/to/${user}`, user }))];
}

function ofOwner(change: RowChange): Notice | undefined {
  // A fork has copied the row. The original has had its notice.
  if ('copiedFrom' in change.row) return undefined;
  if (change.sk.startsWith(key.timer(''))) return fired(change);
  if (change.sk.startsWith(key.callback(''))) return beganToWait(change);
  if (change.sk.startsWith(key.call(''))) return allowed(change);
  return change.sk === key.meta ? ended(change) : undefined;
}

/** Those who are mentioned in a new message. Who mentions themselves knows it. */
function mentioned({ conversationId, sk, row, before }: RowChange): Notice[] {
  if (before !== undefined || !('mentions' in row) || 'copiedFrom' in row) return [];
  const { mentions = [], author, seq, createdAt: at } = StoredMessage.parse(row);
  return mentions
    .filter((user) => user !== author)
    .map((user) => ({
      id: `${conversationId}/${sk}/${user}`,
      user,
      kind: 'mention',
      conversationId,
      readSeq: seq,
      at,
    }));
}

function fired({ conversationId, sk, row, before }: RowChange): Notice | undefined {
  const timer = StoredTimer.parse(row);
  const { id: timerId, user, kind } = timer;
  if (before === undefined) return undefined;
  const { fired: times, nextAt } = StoredTimer.parse(before);
  // A tool that is called later says nothing itself. Its run does.
  if (timer.fired <= times || !isArranged(timer) || kind === 'tool') return undefined;
  // Its user has run it by hand.
  if (kind === 'repeat' && timer.nextAt === nextAt && timer.status !== 'done') return undefined;
  const at = kind === 'repeat' ? nextAt : timer.nextAt;
  return { id: `${conversationId}/${sk}/${timer.fired}`, user, kind: 'reminder', conversationId, timerId, at };
}

function beganToWait(change: RowChange): Notice | undefined {
  const { conversationId, sk, row, before } = change;
  const callback = StoredCallback.parse(row);
  const { id: callbackId, kind, openFor, createdAt, expiresAt, decisions = [], dueSince, told = 0, toldAt } = callback;
  const was = before && StoredCallback.parse(before);
  const assignment = assignedBy(change, callback, was);
  // Those who may take over are a group.
  if (assignment || asksFor(kind, 'take-over')) return assignment;
  const isReminded = was !== undefined && told > (was.told ?? 0);
  if (!openFor || (was?.openFor === openFor && !isReminded) || !isForPeople(kind)) return undefined;
  // Vigil does not know who the members of a group are: that is in their tokens.
  const user = userIn(openFor);
  if (user === undefined) return undefined;
  const about = { user, kind, conversationId, callbackId };
  if (isReminded) return { ...about, id: `${conversationId}/${sk}/told/${told}`, at: toldAt ?? expiresAt };
  // The step of the owner comes after others.
  const later = decisions.length > 0 ? `/step/${decisions.length}` : '';
  return { ...about, id: `${conversationId}/${sk}${later}`, at: dueSince ?? createdAt ?? expiresAt };
}

/** The transaction that stores a call on the authority of a standing approval also counts it. */
function allowed({ conversationId, sk, row, before }: RowChange): Notice | undefined {
  if (before !== undefined || !('standing' in row)) return undefined;
  const { id: callId, user, createdAt: at } = StoredCall.parse(row);
  return { id: `${conversationId}/${sk}/allowed`, user, kind: 'allowed', conversationId, callId, at };
}

/** Each person is told once in a step, however often it is assigned to others in between. Who takes it needs no notice. */
function assignedBy(
  { conversationId, sk }: RowChange,
  callback: StoredCallback,
  was: StoredCallback | undefined,
): Notice | undefined {
  const { id: callbackId, openFor } = callback;
  const assigned = assignmentOf(callback);
  const isNew = assigned && (assigned.at !== was?.assigned?.at || assigned.to !== was.assigned.to);
  if (!openFor || !isNew || assigned.to === assigned.by) return undefined;
  const { to: user, at, step } = assigned;
  const id = `${conversationId}/${sk}/step/${step}/assigned/${user}`;
  const kind = asksFor(callback.kind, 'take-over') ? ('person' as const) : ('approval' as const);
  return { id, user, kind, conversationId, callbackId, isAssigned: true, at };
}

function ended(change: RowChange): Notice | undefined {
  const event = finishedBy(change);
  if (event?.detailType !== 'Run ended') return undefined;
  const { deduplicationId: id, conversationId, runId, status, user, parentId, endedAt: at } = event.detail;
  const { owner, run } = Meta.parse(change.row);
  // A sub-agent reports to the conversation that delegated the task. Nobody wants to hear of a deleted conversation.
  if (parentId || !owner || status === 'cancelled') return undefined;
  if (status !== 'done') return { id, user, kind: 'failure', conversationId, at };
  const last = run?.id === runId ? run : Meta.parse(change.before).run;
  return { id, user, kind: 'answer', conversationId, at, readSeq: last?.lastRead.seq };
}

/** Their owner hears of those whom they have let in, or invited: whoever has a token of theirs could have done it. All versions have the same. */
function newMembers({ conversationId, row, before }: RowChange): Notice[] {
  const [is, was] = [row, before ?? {}] as Pick<
    Meta,
    'members' | 'membersVersion' | 'owner' | 'rootId' | 'updatedAt'
  >[];
  if (before === undefined || !is?.owner || is.rootId !== undefined || is.membersVersion === was?.membersVersion)
    return [];
  const { owner: user, members, membersVersion, updatedAt: at } = Meta.parse(row);
  const { members: former = {} } = Meta.parse(before);
  const isNew = Object.entries(members ?? {}).some(([name, { asks }]) => !asks && (!former[name] || former[name].asks));
  const id = `${conversationId}/members/${membersVersion}`;
  return isNew ? [{ id, user, kind: 'grant', granted: 'member', at }] : [];
}

function linked({ conversationId, sk, row, before }: RowChange): Notice[] {
  const { by: user, createdAt: at } = StoredLink.parse(row);
  if (before !== undefined || user === undefined) return [];
  return [{ id: `${conversationId}/${sk}`, user, kind: 'grant', granted: 'link', at }];
}

/** Returns the notice of what somebody else may do from now on: of a new absence, or a new standing approval. */
export function authorityNoticeOf({ user, sk, row, before }: ReachChange & { sk: string }): Notice | undefined {
  if (sk.startsWith(key.standings)) {
    const { id, createdAt: at } = StoredStanding.parse(row);
    return before === undefined
      ? { id: `${user}/standing/${id}`, user, kind: 'grant', granted: 'standing', at }
      : undefined;
  }
  if (sk !== key.absence) return undefined;
  const { to, from: at, until, endedAt } = StoredAbsence.parse(row);
  // What confirms it is the same.
  return endedAt === undefined
    ? { id: `${user}/absence/${to}/${until}`, user, kind: 'grant', granted: 'standIn', at }
    : undefined;
}

/** A user's row of devices and settings after a change and, unless it is new, before the change. */
export interface ReachChange {
  user: string;
  row: object;
  before?: object;
}

/** Returns the notice of a new or a removed device or address, or of words that notifications quote from now on, for the devices that the user had before. */
export function grantNoticeOf({ user, row, before = {} }: ReachChange): Notice | undefined {
  const [is, was] = [Reach.parse(row), Reach.parse(before)];
  const added = is.devices.find(({ id }) => !was.devices.some((device) => device.id === id));
  if (added) {
    const { id: deviceId, addedAt: at } = added;
    const devicesBefore = [...was.devices, ...was.removed].map(({ id }) => id);
    return { id: `${user}/device/${deviceId}/${at}`, user, kind: 'grant', deviceId, devicesBefore, at };
  }
  const device = is.removed.find(({ id }) => !was.removed.some((other) => other.id === id));
  const { removedAt: at } = device ?? (was.removedAddress ? {} : (is.removedAddress ?? {}));
  if (at) return { id: `${user}/removed/${device?.id ?? 'mail'}/${at}`, user, kind: 'grant', isRemoval: true, at };
  if (!is.settings.words || was.settings.words || !is.words) return undefined;
  return {
    id: `${user}/words/${is.words.token}`,
    user,
    kind: 'grant',
    at: new Date(is.words.until * 1_000).toISOString(),
  };
}
