import { textOfPieces as textOf } from 'vigil-client/shared';
import type { Piece } from '../../core/base/state/schemas';
import { ownerIn } from '../../core/conversations/rows/owned';
import type { Decided } from './absences';
import { shownAnyway } from './guards';
import type { Row } from './memory-table';
import type { Seen } from './story';
import { featuresOf, isExternal } from './tools';

/** A promise that was broken, in words. */
export type Broken = string;

interface CallRow extends Row {
  id: string;
  tool: string;
  status: string;
  copiedFrom?: string;
  callbackId?: string;
}

/** Holds what has happened against what Vigil promises, once all is at rest. */
export function brokenPromises(seen: Seen): Broken[] {
  const { rows, accepted, deleted, modelCalls } = seen;
  const metas = rows
    .filter(({ sk }) => sk === 'META')
    .map((row): Row => ({ ...row, conversationId: row.pk.slice('C#'.length) })) as (Row & Record<string, never>)[];
  const calls = rows.filter(({ sk, copiedFrom }) => sk.startsWith('CALL#') && !copiedFrom) as CallRow[];
  const messages = rows.filter(({ sk, copiedFrom }) => sk.startsWith('M#') && !copiedFrom);
  const broken: Broken[] = seen.executions.map((name) => `The execution ${name} never ends.`);
  const say = (words: string) => broken.push(words);

  for (const meta of metas) {
    const { conversationId, status, pending, queued, owner, run, handedOver } = meta as unknown as {
      conversationId: string;
      status: string;
      pending: number[];
      queued?: number[];
      owner?: string;
      run?: { id: string; status: string; reason?: string; stoppedBy?: string; lastRead: { seq: number } };
      handedOver?: { seq: number };
    };
    if (meta.forking) continue;
    if (!['idle', 'done', 'failed', 'limited', 'cancelled'].includes(status))
      say(`The run of ${conversationId} stays ${status}.`);
    if (owner && (status === 'done' || status === 'cancelled') && (pending.length > 0 || queued?.length))
      say(
        `The run of ${conversationId} is ${status}, and nobody has read ${[...pending, ...(queued ?? [])].join(', ')}.`,
      );
    // What was done by a run that is cancelled is taken back, or says that it could not be. After a member's stop it stays, for its owner to undo.
    const wasAskedFor = run?.reason?.startsWith('The run that asked for this was cancelled.');
    const own = calls.filter(({ pk, runId }) => pk === meta.pk && (wasAskedFor || runId === run?.id));
    // A new owner undoes nothing of the former one's.
    const isFormerOwners = run && handedOver && run.lastRead.seq <= handedOver.seq;
    if (status === 'cancelled' && run?.stoppedBy === undefined && !isFormerOwners)
      for (const { id, tool, status: its, undoError } of own)
        if ((its === 'completed' || its === 'unknown') && canBeUndone(tool) && !undoError)
          say(`The run of ${conversationId} is cancelled, and ${tool} ${id} is ${its}.`);
  }

  for (const call of calls) broken.push(...wrongEffects(seen, call, messages));

  for (const { conversationId, text } of accepted) {
    const there = messages.filter((row) => row.pk === `C#${conversationId}` && row.text === text);
    if (there.length !== 1) say(`"${text}" was stored ${there.length} times.`);
    const meta = metas.find((one) => one.conversationId === conversationId);
    // A run that failed is retried by its user, and reads it then.
    const isHeld = meta?.status === 'failed' || meta?.status === 'limited';
    if (meta?.owner && !isHeld && there[0]?.status === 'pending') say(`"${text}" was never read.`);
  }

  for (const id of withSubAgents(deleted, metas)) {
    const kept = metas.filter(({ owner }) => owner).map(({ conversationId }) => `FORK#${conversationId}`);
    const left = rows.filter(({ pk, sk, ttl }) => pk === `C#${id}` && ttl === undefined && !kept.includes(sk));
    if (left.length > 0) say(`${id} is deleted, and these stay: ${left.map(({ sk }) => sk).join(', ')}.`);
    const after = modelCalls.filter((call) => call.conversationId === id && call.deleted).length;
    if (after > 0) say(`${id} is deleted, and its model was asked ${after} times after that.`);
  }

  // Nothing waits, runs or is due any more, so no list says so. Runs that can be retried are listed as such.
  for (const { sk, openFor, status, owner, gone } of rows) {
    // Embed is not explored: what a new owner's index lacks stays noted. What a former owner's had is erased.
    if (sk.startsWith('TALK#') && !gone) continue;
    const canBeRetried = sk === 'META' && owner && (status === 'failed' || status === 'limited');
    if (openFor !== (canBeRetried ? `failed:${String(owner)}` : undefined))
      say(`${sk} is ${String(status)}, and is listed for ${String(openFor)}.`);
  }

  for (const { pk, todos } of rows)
    if (Array.isArray(todos) && todos.length > 0) say(`${pk} still has to do: ${JSON.stringify(todos)}.`);

  for (const id of seen.tooSoon) say(`The model of ${id} was asked sooner than its server allowed.`);
  for (const id of seen.idle) say(`${id} waited for a model, and its agent's next one was not asked.`);
  for (const { conversationId, run } of metas as unknown as Row[] & { run?: { reason?: string } }[])
    if (run?.reason?.includes('Down.')) say(`The run of ${String(conversationId)} has failed in an outage of hours.`);
  for (const text of seen.heard) say(`A model has read "${text}", which a guard keeps from it.`);
  for (const id of seen.wasted) say(`A reply in ${id} was paid for and thrown away.`);

  // Who asked for another agent's help hears of it.
  for (const meta of metas.filter(({ parent }) => parent !== undefined)) {
    const { parent } = meta as unknown as {
      parent: { conversationId: string; callbackId: string; outcome?: { status: string } };
    };
    const asker = metas.find(({ conversationId }) => conversationId === parent.conversationId);
    const callback = rows.find(({ pk, sk }) => pk === asker?.pk && sk === `CALLBACK#${parent.callbackId}`);
    if (asker?.owner && callback?.status === 'pending') say(`${parent.callbackId} never hears from its sub-agent.`);
    if (meta.owner && !parent.outcome && /^(done|failed|limited|cancelled)$/.test(String(meta.status)))
      say(`${String(meta.conversationId)} is ${String(meta.status)}, and has no outcome for ${parent.callbackId}.`);
    const { said, failed } = JSON.parse(String(callback?.outcome ?? '{}')) as { said?: string; failed?: string };
    if (failed !== undefined && parent.outcome?.status === 'done')
      say(`${parent.callbackId} hears that its sub-agent failed, which was done.`);
    const first = messages.filter((row) => row.pk === meta.pk && String(row.runId).startsWith('r_000001_'));
    if (said && !first.some(({ text }) => text === said)) say(`${parent.callbackId} hears "${said}", of another run.`);
  }
  return [
    ...broken,
    ...seen.late,
    ...seen.unreadable.map((why) => `A conversation cannot be read. ${why}`),
    ...wrongOrder(seen, calls),
    ...wrongCounts(seen, messages),
    ...wrongTexts(rows, messages),
    ...(seen.isGuarded ? shownAnyway(rows) : []),
    ...seen.files,
    ...seen.members,
    ...seen.waits,
    ...seen.clients,
    ...seen.watchers,
    ...withoutApproval(calls),
    ...seen.decisions,
    ...seen.notices,
    ...seen.titles.broken(metas),
    ...wrongCallbacks(rows, calls),
    ...seen.provider.broken(rows, seen.lost === 0),
    ...seen.world.taskServer.broken(rows, seen.lost === 0),
    ...wrongDeciders(rows, calls),
    ...tooFewApprovals(seen, calls),
    ...passedStanding(rows, calls),
    ...wrongUnread(metas, messages),
    ...wrongExpiry(metas, rows),
  ];
}

const canBeUndone = (tool: string): boolean => featuresOf(tool)?.undo === true;

/** What a call's row says agrees with the third party's ledger, with the log and with the timers. */
function wrongEffects({ ledger, rows }: Seen, call: CallRow, messages: Row[]): Broken[] {
  const { id, pk, tool, status, undoError, approved, callbackId, error } = call;
  const features = featuresOf(tool);
  if (!features) return [];
  const broken: Broken[] = [];
  const say = (words: string) => broken.push(`${tool} ${id} is ${status}, ${words}`);
  const { effect, timer, remembers, approval, undo } = features;
  const isBooked = ledger.booked.has(id);
  const made = ledger.events.filter((one) => one.callId === id && one.kind !== 'unbook').length;
  if (effect === 'once' && made > 1) say(`and was made ${made} times.`);
  if (isExternal(features)) {
    // One whose compensation was lost says so, and may have been undone.
    if (status === 'completed' && !isBooked && !undoError) say('and the third party has nothing.');
    if ((status === 'failed' || status === 'cancelled') && isBooked) say('and the third party has it.');
    if (status === 'undone' && isBooked && undo) say('and the third party still has it.');
    if (isBooked && /not done/i.test(String(error)))
      say(`the third party has it, and the model reads "${String(error)}".`);
    if (made > 0 && approval && approved === undefined) say('was never approved, and was made.');
  }
  if (effect !== 'table') return broken;
  const isDone = status === 'completed' || status === 'undone';
  const noted = messages.filter(({ text }) => text === `Noted ${id}`).length;
  if (noted !== (isDone ? 1 : 0)) say(`and its message is there ${noted} times.`);
  if (noted > 0 && approval && approved === undefined && callbackId !== id) say('was never approved, and was made.');
  if (remembers) {
    const memory = rows.find((one) => one.sk === `MEMORY#${id}`);
    const isKept = memory !== undefined && !memory.forgotten;
    if (isKept !== (status === 'completed')) say(`and its memory is ${isKept ? 'kept' : 'not kept'}.`);
  }
  if (!timer) return broken;
  const row = rows.find((one) => one.pk === pk && one.sk === `TIMER#${id}`);
  if ((row !== undefined) !== isDone) say(`and its timer is ${row ? 'there' : 'not there'}.`);
  const fired = messages.filter((one) => one.pk === pk && String(one.text).includes(`Alarm ${id}`)).length;
  if (timer === 'once' && fired > 1) say(`and its timer has fired ${fired} times.`);
  if (row && fired !== Number(row.fired)) say(`and its timer counts ${String(row.fired)} firings of ${fired}.`);
  if (row?.status === 'active' || row?.status === 'paused') say('and its timer never ends.');
  return broken;
}

/** Returns the ids with those of their sub-agents' conversations, at all depths. */
function withSubAgents(ids: Iterable<string>, metas: Row[]): string[] {
  const found = [...ids];
  for (const id of found)
    for (const { conversationId, parent } of metas as unknown as { conversationId: string; parent?: Row }[])
      if (parent?.conversationId === id && !found.includes(conversationId)) found.push(conversationId);
  return found;
}

/** A callback that can still be answered has a call that waits for it. */
function wrongCallbacks(rows: Row[], calls: CallRow[]): Broken[] {
  const asked = rows.filter(({ sk, status, callId }) => sk.startsWith('CALLBACK#') && status === 'pending' && callId);
  return asked.flatMap(({ pk, id, kind, callId, openFor }) => {
    const call = calls.find((one) => one.pk === pk && one.id === callId);
    if (!call || kind === 'webhook' || (call.status === 'waiting' && call.callbackId === id)) return [];
    // It is open while the task asks the user, too.
    if (kind === 'task' && call.status === 'waiting') return [];
    return [
      `The ${String(kind)} ${String(id)} is open${openFor ? ' and listed' : ''}, and its call is ${call.status}.`,
    ];
  });
}

/** Whom a tool names decides about its calls, and nobody else; the owner answers what a server asks. */
function wrongDeciders(rows: Row[], calls: CallRow[]): Broken[] {
  return rows.flatMap(({ pk, sk, id, callId, asker, outcome, copiedFrom, decisions = [] }) => {
    const { by: last } = JSON.parse(String(outcome ?? '{}')) as { by?: string };
    const call = calls.find((one) => one.pk === pk && one.id === callId);
    if (!sk.startsWith('CALLBACK#') || copiedFrom || !call) return [];
    const all = decisions as Decided[];
    if (last !== all.at(-1)?.by && last !== undefined) return [`${last} has ended ${String(id)}, and is not recorded.`];
    const approvers = asker ? undefined : featuresOf(call.tool)?.approvers;
    const deciders =
      approvers === undefined ? ['ada'] : approvers === 'several' ? [...deciding, 'ada'] : ['bob', 'bea'];
    return all
      .map(inWhoseRight)
      .filter((one) => !deciders.includes(one))
      .map((one) => `${one} has decided about ${String(id)}, which is up to ${deciders.join(', ')}.`);
  });
}

/** Two of the desk, or of the board after a time. */
const deciding = ['bob', 'bea', 'cai'];
const inWhoseRight = ({ by, inPlaceOf }: Decided): string => inPlaceOf ?? by;

/** No more is done on the authority of a standing approval than it allows, and all of that is counted. */
function passedStanding(rows: Row[], calls: CallRow[]): Broken[] {
  const standings = rows.filter(({ sk }) => sk.startsWith('STANDING#'));
  return standings.flatMap(({ id, calls: most, uses }) => {
    const made = calls.filter(
      ({ standing, status }) => standing === id && status !== 'failed' && status !== 'cancelled',
    );
    const counted = (uses as { callId: string }[]).map(({ callId }) => callId);
    const uncounted = made.filter((one) => !counted.includes(one.id));
    return [
      ...(made.length > Number(most)
        ? [`${String(id)} allows ${String(most)} calls, and ${made.length} were made.`]
        : []),
      ...uncounted.map((one) => `${one.id} was made on the authority of ${String(id)}, and is not counted.`),
    ];
  });
}

/** A call that several approve is made after all have, each once and in order, and after no denial. */
function tooFewApprovals({ rows, ledger }: Seen, calls: CallRow[]): Broken[] {
  return calls.flatMap(({ pk, id, tool, status, approved }) => {
    if (featuresOf(tool)?.approvers !== 'several') return [];
    const isMade = status === 'completed' || status === 'undone' || ledger.events.some(({ callId }) => callId === id);
    if (!isMade && approved === undefined) return [];
    const callback = rows.find((row) => row.pk === pk && row.sk === `CALLBACK#${id}`);
    const decisions = (callback?.decisions ?? []) as Decided[];
    const by = decisions.map(inWhoseRight);
    const [first, second, last] = by;
    const isWhole =
      decisions.length === 3 && new Set(by).size === 3 && decisions.every((one) => one.approved) && last === 'ada';
    const early = decisions.some(
      (one) => inWhoseRight(one) === 'cai' && isBeforeEscalation(one.at, String(callback?.createdAt)),
    );
    if (isWhole && !early && deciding.includes(first!) && deciding.includes(second!)) return [];
    return [`${tool} ${id} was made, and is approved by ${by.join(', ') || 'nobody'}.`];
  });
}

const isBeforeEscalation = (at: string, askedAt: string): boolean => Date.parse(at) < Date.parse(askedAt) + 1_200_000;

/** A message reads as unread only while META says that a run is to read it. */
function wrongUnread(metas: Row[], messages: Row[]): Broken[] {
  return messages.flatMap(({ pk, seq, status }) => {
    const meta = metas.find((one) => one.pk === pk) as
      | { pending: number[]; queued?: number[]; dropped?: number[] }
      | undefined;
    if (status !== 'pending' || !meta) return [];
    const isListed = [...meta.pending, ...(meta.queued ?? [])].includes(Number(seq));
    return isListed ? [] : [`The message ${String(seq)} of ${pk} reads as unread, and no run is to read it.`];
  });
}

/** Rows of a conversation that lives do not expire, but for pieces and the entries of forks that are deleted. */
function wrongExpiry(metas: Row[], rows: Row[]): Broken[] {
  const living = new Set(metas.filter(({ owner }) => owner).map(({ pk }) => pk));
  return rows
    .filter(({ pk, ttl, sk }) => living.has(pk) && ttl !== undefined && !/^(SENT|PIECE|FORK|TODO)#/.test(sk))
    .map(({ pk, sk }) => `${sk} of ${pk}, which lives, expires.`);
}

/** A reply that was cut off has all that was written before its end, and nothing was written after that. */
function wrongTexts(rows: Row[], messages: Row[]): Broken[] {
  return messages.flatMap(({ pk, sk, seq, status, attempt, text }) => {
    if (status === 'streaming') return [`${sk} in ${pk} stays without an end.`];
    if ((status !== 'cancelled' && status !== 'error') || attempt === undefined) return [];
    const own = rows.filter(
      (row) => row.pk === pk && row.sk.startsWith('PIECE#') && row.seq === seq && row.attempt === attempt,
    );
    const written = textOf(own as unknown as Piece[]);
    return text === written ? [] : [`${sk} in ${pk} has "${text}", and "${written}" was written.`];
  });
}

/** After a member's words, nothing with an effect begins before the owner has approved it. */
const withoutApproval = (calls: CallRow[]): Broken[] =>
  calls.flatMap((call) => {
    const {
      id,
      tool,
      kind,
      attempts,
      after = [],
    } = call as CallRow & { kind?: string; attempts: number; after?: string[] };
    const isEffect = kind === 'function' && featuresOf(tool)?.effect !== 'read' && !tool.endsWith('_read');
    return isEffect && attempts > 0 && after.includes('member')
      ? [`${tool} ${id} is made for a member, unapproved.`]
      : [];
  });

/** What the user's rows say is what there is: each begin and end, and each step, is counted once. */
function wrongCounts({ rows, reservedAgain, titles }: Seen, messages: Row[]): Broken[] {
  const counts = rows.filter(({ sk }) => sk === 'COUNTS');
  const sum = (what: string) => counts.reduce((total, row) => total + Number(row[what] ?? 0), 0);
  const spent = rows.filter(({ sk }) => sk.startsWith('SPENT#'));
  const [steps = 0, tokens = 0] = ['steps', 'tokens'].map((what) =>
    spent.reduce((sum, row) => sum + Number(row[what]), 0),
  );
  const broken: Broken[] = [];
  const expect = (what: string, counted: unknown, there: number) => {
    if (Number(counted ?? 0) !== there)
      broken.push(`${what}: ${String(counted ?? 0)} are counted, and there are ${there}.`);
  };
  const metas = rows.filter(({ sk }) => sk === 'META');
  expect(
    'active runs',
    sum('runs'),
    metas.filter(({ status }) => /^(running|sleeping|waiting)$/.test(String(status))).length,
  );
  expect('active sub-agents', sum('subAgents'), 0);
  const owned = metas.filter(({ owner, forking }) => owner && !forking);
  for (const { pk, conversations } of counts) {
    const user = pk.slice('N#'.length);
    expect(
      `conversations of ${user}`,
      conversations,
      owned.filter(({ owner }) => ownerIn(String(owner)) === user).length,
    );
  }
  const open = rows.filter(
    ({ sk, status, callbackId }) => sk.startsWith('TIMER#') && /^(active|paused)$/.test(String(status)) && !callbackId,
  );
  expect('open timers', sum('timers'), open.length);
  // A process that died leaves what it had reserved in the message, unless a later attempt of the step takes it over.
  const made = messages.filter(({ usage, reserved }) => usage || reserved);
  const replies = made.length + reservedAgain;
  // One that came as a whole, and could not be checked or stored, is paid for, and its message says only that it failed. So is a summary of
  // which nothing could be used, and which a later attempt has replaced.
  const lost = messages.reduce((sum, { role, status, attempt, usage, reserved }) => {
    if (status === 'error' && attempt && !usage && !reserved) return sum + 1;
    return role === 'system' && usage ? sum + Number(attempt) - 1 : sum;
  }, 0);
  const { least, most } = titles.steps();
  if (steps < replies + least || steps > replies + most + lost) expect('steps', steps, replies + most);
  const sure = made.reduce(
    (sum, { usage, reserved }) => sum + tokensIn(reserved ? JSON.parse(String(reserved)) : usage),
    0,
  );
  // A reply of an attempt that another one has replaced is billed, too.
  if (tokens < sure) broken.push(`${tokens} tokens are counted, and ${sure} were used.`);
  return broken;
}

const tokensIn = ({ tokens, inputTokens = 0, outputTokens = 0 }: Record<string, number>): number =>
  tokens ?? inputTokens + outputTokens;

/** Effects of one conversation are taken back in the reverse of their order: by run, step and place. */
function wrongOrder({ ledger }: Seen, calls: CallRow[]): Broken[] {
  const broken: Broken[] = [];
  const last = new Map<string, string>();
  for (const { kind, callId } of ledger.events) {
    const conversation = calls.find(({ id }) => id === callId)?.pk ?? '';
    if (kind !== 'unbook') last.delete(conversation);
    else {
      const before = last.get(conversation);
      if (before !== undefined && before < callId)
        broken.push(`${callId} is undone after ${before}, which came before it.`);
      last.set(conversation, callId);
    }
  }
  return broken;
}
