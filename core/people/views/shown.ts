import { asksFor, changedFields, fieldsOf, isForPeople, reasonOf } from 'vigil-client/shared';
import type { Source } from '../../base/content/sources';
import type { ServerQuestion } from '../../base/state/isolated-call';
import {
  addUsage,
  Call,
  Callback,
  type ConversationHead,
  ConversationSummary,
  type DecisionField,
  type Member,
  Message,
  noUsage,
  Run,
  Timer,
} from '../../base/state/schemas';
import { clip } from '../../base/text/clip';
import { NotFound } from '../../base/text/errors';
import { approversIn } from '../../conversations/agent/approvers';
import { clippedFields } from '../../conversations/approvals/clipped-fields';
import { assignmentOf, dueStep, escalatesAt, stepsOf } from '../../conversations/approvals/steps';
import { isOpen } from '../../conversations/calls/callback';
import { isArranged } from '../../conversations/calls/timer';
import { firstRecalled, recalledIn } from '../../conversations/decisions/recalled';
import { type Person, type Role, roleIn, takerIn } from '../../conversations/members/role';
import { isOfLaterVersion } from '../../conversations/rows/formats';
import type { Meta, StoredRun } from '../../conversations/rows/meta';
import { metaAtLeast, parsedAs } from '../../conversations/rows/readable';
import { StoredCall, StoredCallback, StoredMessage, type StoredTimer } from '../../conversations/rows/rows';

/**
 * Converts rows to what those may see who read a conversation: public schemas only, so no task token, no writer, no to-do. Both GETs
 * and pushes use these functions, so the same version of a row looks the same in both. They throw for a row that cannot be read.
 */

export const shownSummary = (meta: Meta): ConversationSummary =>
  ConversationSummary.parse({
    ...meta,
    id: meta.conversationId,
    ...((meta.status === 'failed' || meta.status === 'limited') && {
      reason: clip(meta.run?.reason ?? '', { bytes: reasonBytes }),
    }),
  });

/** How an owner keeps a conversation is theirs. */
const ownersAlone = { pinned: undefined, archived: undefined } satisfies Partial<Meta>;
type Kept = Pick<Meta, keyof typeof ownersAlone>;

/** As others than its owner see it. */
export const seenByOthers = <One extends Kept>(one: One): One => ({ ...one, ...ownersAlone });

/** Whether its owner sees more of it than others. */
export const isSeenOtherwise = (one: Kept): boolean =>
  (Object.keys(ownersAlone) as (keyof Kept)[]).some((field) => one[field] !== undefined);

/** As those see it with whom it is shared. */
export const sharedSummary = (meta: Meta, role: Role): ConversationSummary => ({
  ...shownSummary(seenByOthers(meta)),
  ...(role !== 'owner' && { role }),
});

/** As a person sees it; undefined if they may not. */
export function summaryFor(meta: Meta, person: Person): ConversationSummary | undefined {
  const role = roleIn(meta, person);
  return role && (role === 'owner' ? shownSummary(meta) : sharedSummary(meta, role));
}

const reasonBytes = 500;

export const shownConversation = (meta: Meta): ConversationHead => ({
  ...shownSummary(meta),
  run: meta.run && shownRun(meta.run),
  usage: addUsage(meta.earlierUsage, meta.run?.usage ?? noUsage),
  ...(meta.members && shownMembers(meta)),
  ...(takerIn(meta) && { owner: meta.owner, takenBy: takerIn(meta) }),
  ...(meta.offeredTo !== undefined && { offeredTo: meta.offeredTo }),
});

export const shownMembers = ({ owner, members = {} }: Meta): { owner: string; members: Member[] } => ({
  owner,
  members: Object.entries(members).map(([member, entry]) => ({ member, ...entry })),
});

function shownRun({ resultText, modelWait, ...run }: StoredRun): Run {
  // The row of a run that is stopped keeps it.
  const waits = run.status === 'running' && { modelWait };
  return Run.parse({ ...run, ...waits, ...(resultText && { result: JSON.parse(resultText) }) });
}

/** The index has some of META's fields. */
export const listedSummary = (row: Record<string, unknown>): ConversationSummary => {
  const { success, data } = ConversationSummary.safeParse(row);
  if (success && !isOfLaterVersion(row)) return data;
  const { run: _, ...meta } = metaAtLeast({ ...row, owner: '' });
  return shownSummary(meta);
};

/** What was recalled about the owner is shown to them alone, when they ask for it: pushes go to all people of a conversation. */
export function shownMessage(row: object): Message {
  const message = parsedAs(StoredMessage, row);
  const isOfRecalled = typeof message.recalledFrom === 'number';
  const hasRecalled = isOfRecalled || message.recalled !== undefined;
  return Message.parse({ ...message, ...(hasRecalled && { hasRecalled }), ...(isOfRecalled && { text: withheld }) });
}

const withheld = 'A summary with what was recalled about the owner, which they alone may read.';

/** @throws NotFound if nothing was recalled for this message, or it was about a former owner. */
export function shownRecalled(row: object | undefined, meta: Meta): { text: string; sources: Source[] } {
  const message = row && parsedAs(StoredMessage, row);
  const from = message && recalledIn([message]);
  if (!message || from === null || from === undefined || from < firstRecalled(meta, true))
    throw new NotFound('Nothing was recalled about you for this message.');
  const { recalled, text, recalledSources, sources } = message;
  return { text: recalled ?? text, sources: (recalled === undefined ? sources : recalledSources) ?? [] };
}

export const shownCall = (row: object): Call => clippedCall(Call.parse(parsedAs(StoredCall, row)));

export function clippedCall(call: Call): Call {
  return { ...call, arguments: head(call.arguments), ...(call.result !== undefined && { result: head(call.result) }) };
}

/**
 * Shows a callback as expired after `expiresAt`, even before its execution marks it. An open approval has its full arguments. Of a
 * closed callback, long arguments and outcomes are cut.
 */
export function shownCallback(row: object, now: Date): Callback {
  const parsed = parsedAs(StoredCallback, row);
  const { steps, assigned: _assigned, ...rule } = parsed;
  const assigned = parsed.status === 'pending' ? assignmentOf(parsed) : undefined;
  const approvers = approversIn(parsed.decider);
  const stored = Callback.parse({
    ...rule,
    approvers,
    ...(assigned && { assigned }),
    ...(steps && shownSteps(parsed)),
  });
  const { arguments: args, asked, outcome, kind } = stored;
  const pending = stored.status === 'pending';
  const { schema: _, standing, ...plain } = stored;
  const overdue = pending && !isOpen(stored, now);
  return {
    ...plain,
    ...(pending && standing && { standing }),
    ...(asksFor(kind, 'decision') && decisionIn(parsed)),
    ...(args !== undefined && { arguments: pending ? args : head(args) }),
    ...(asked !== undefined && { asked: pending ? asked : head(asked) }),
    ...(overdue && { status: 'expired' as const }),
    ...(outcome !== undefined && { outcome: isForPeople(kind) ? headOfEach(outcome) : head(outcome) }),
  };
}

/** Returns the steps of an approval, as people see them. */
function shownSteps(callback: StoredCallback): Pick<Callback, 'steps' | 'dueStep'> {
  const due = dueStep(callback);
  const steps = stepsOf(callback).map(({ decider, count = 1, escalation }, index) => ({
    by: approversIn(decider) ?? ('owner' as const),
    count,
    ...(escalation && { escalatesTo: approversIn(escalation.decider)! }),
    ...(index === due && escalation && { escalatesAt: escalatesAt(callback) }),
  }));
  return { steps, dueStep: due };
}

/** Returns what an approval asks, or what was approved, as every channel draws it. */
function decisionIn(callback: StoredCallback): Pick<Callback, 'schema' | 'fields' | 'reason'> {
  const { question, status, outcome, asker } = callback;
  const schema = asker ? (question as ServerQuestion | undefined)?.form : (callback.schema as object | undefined);
  const asked = { ...callback, schema };
  const { approved, arguments: edited } = (outcome ?? {}) as { approved?: boolean; arguments?: unknown };
  const fields = fieldsOf({ ...asked, arguments: callback.asked ?? callback.arguments });
  const changed = edited ?? (callback.asked === undefined ? undefined : callback.arguments);
  const approvedFields =
    (approved || status === 'pending') && changed !== undefined
      ? fieldsOf({ ...asked, arguments: changed })
      : undefined;
  const shown = !approvedFields ? fields : asker ? approvedFields : changedFields(fields, approvedFields);
  const reason = reasonOf(callback);
  return {
    ...(status === 'pending' ? { schema, fields: shown } : { fields: clippedFields(shown, fieldCharacters) }),
    ...(reason && { reason }),
  } as { schema?: Record<string, unknown>; fields: DecisionField[] };
}

/** Cuts each field, so the outcome of a question or an approval keeps its shape. */
const headOfEach = (outcome: unknown) =>
  typeof outcome === 'object' && outcome !== null ? headsIn(outcome) : head(outcome);

const headsIn = (outcome: object) =>
  Object.fromEntries(Object.entries(outcome).map(([field, value]) => [field, head(value)]));

/** Returns undefined for a webhook's expiry timer. */
export function shownTimer(stored: StoredTimer): Timer | undefined {
  if (!isArranged(stored)) return undefined;
  const timer = Timer.parse(stored);
  return { ...timer, ...(timer.arguments !== undefined && { arguments: head(timer.arguments) }) };
}

/** The page gets the beginning of long arguments, results and outcomes. */
const headCharacters = 2_000;
const fieldCharacters = 1_000;

function head(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json.length <= headCharacters + 2) return value;
  return clip(typeof value === 'string' ? value : json, { characters: headCharacters + 1 }, '…');
}
