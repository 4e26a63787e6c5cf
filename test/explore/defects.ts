import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Plugin } from 'esbuild';
import { exploreInProcesses } from './processes';

/** A defect to plant: words of core's files, and what stands in their place. */
export interface Defect {
  name: string;
  /** The unit test that finds it, if the exploration does not state what it breaks. */
  test?: string;
  /** By the file's path from the root. */
  changes: Record<string, [from: string, to: string][]>;
}

const root = join(__dirname, '../..');

const defect = (name: string, changes: Defect['changes']): Defect => ({ name, changes });
const foundBy = (test: string, name: string, changes: Defect['changes']): Defect => ({ name, test, changes });

/** Those that others have planted and found, and one for each promise. */
export const defects: Defect[] = [
  defect('the files of a deleted conversation stay', {
    'core/conversations/conversation/delete.ts': [['await releaseFiles(table, owner, conversationId, now);', '']],
  }),
  defect('who is not in a conversation writes in it', {
    'core/conversations/conversation/send-message.ts': [
      ["checkRole(before, said.user, 'member') === 'owner';", 'before.owner === userOf(said.user);'],
    ],
  }),
  defect('who was removed still says what they think of a message', {
    'modules/feedback/give-feedback.ts': [
      ["    checkRole(meta, by, 'member');\n", ''],
      ["  await readMetaFor(table, conversationId, by, 'member');\n", ''],
    ],
  }),
  foundBy('modules/feedback/give-feedback', 'a fork has the feedback of its original', {
    'core/conversations/conversation/fork.ts': [['({ feedback: _, ...row }: MessageRow', '(row: MessageRow']],
  }),
  defect('a member’s words count as the owner’s', {
    'core/conversations/members/role.ts': [["return { author, sources: ['member'],", 'return { author,']],
  }),
  defect('a member’s wish is enough for an effect', {
    'core/conversations/decisions/provenance.ts': [['isAskedByMember && !isForMembers(tool)', 'false']],
  }),
  defect('a conversation that is handed over stays counted for its former owner', {
    'core/conversations/members/ownership.ts': [
      ["...countChange(current, { ...current, owner: '', deletedFor: owner }),", ''],
    ],
  }),
  foundBy('core/conversations/members/ownership', 'a hand-over does not look whether META has changed', {
    'core/conversations/store/change-conversation.ts': [
      [
        'const all = [changeOf(current, next),',
        'const all = [{ ...changeOf(current, next), onlyIf: undefined } as RowWrite,',
      ],
    ],
  }),
  foundBy('core/conversations/members/ownership', 'a link outlives the ownership of who has made it', {
    'core/conversations/members/links.ts': [['link.handedOver === handedOver?.times', 'link !== undefined']],
  }),
  foundBy('core/conversations/members/ownership', 'the task of a former owner counts as the new owner’s', {
    'core/conversations/members/role.ts': [['seq > (handedOver?.seq ?? 0) && (role', '(role']],
  }),
  foundBy('core/conversations/members/members', 'a version is left out when the people of a conversation change', {
    'core/conversations/members/members.ts': [
      ['return [conversationId, ...others.filter(', 'return [conversationId, ...others.slice(1).filter('],
    ],
  }),
  foundBy('core/conversations/members/ownership', 'a version is left behind when its conversation is handed over', {
    'core/conversations/members/ownership.ts': [
      ['return [...versions, ...tasks];', 'return [conversationId, ...tasks];'],
    ],
  }),
  foundBy('core/conversations/members/effects', 'a member’s stop takes the owner’s payment back', {
    'core/conversations/members/effects.ts': [
      [
        "may: { taker: 'refused', member: 'refused', owner: 'allowed' },\n  },\n  retry:",
        "may: { taker: 'refused', member: 'allowed', owner: 'allowed' },\n  },\n  retry:",
      ],
    ],
  }),
  foundBy('core/conversations/members/effects', 'a payment follows from a wait that a member has ended', {
    'core/conversations/conversation/wake.ts': [["may === 'asks' ? {", 'false ? {']],
  }),
  foundBy('core/conversations/members/effects', 'a member’s stop undoes what a sub-agent has done', {
    'core/conversations/conversation/children.ts': [['if (by !== undefined)', 'if (by === null)']],
  }),
  foundBy('core/people/live/deltas', 'who was removed goes on reading the words of replies', {
    'core/people/live/readers.ts': [
      ["typeof user === 'string' && roleOf({ user, groups }) !== undefined", 'user !== groups'],
    ],
  }),
  foundBy('core/people/live/deltas', 'after a pause, words go to those who could read before', {
    'core/people/live/deltas.ts': [['this.unwanted.aborted || !this.isKnown()', 'this.unwanted.aborted']],
  }),
  foundBy('core/machines/loop/recalled', 'what was recalled about the owner is read to those with whom they share', {
    'core/machines/step/step.ts': [['withoutRecalled(heard.messages, firstRecalled(meta, isAlone))', 'heard.messages']],
  }),
  foundBy('core/machines/loop/recalled', 'a sub-agent asks nobody whether the conversation at the top is shared', {
    'core/conversations/members/role.ts': [['if (!meta.parent) return true;', 'if (meta.owner) return true;']],
  }),
  foundBy('core/machines/loop/recalled', 'a new owner reads what was recalled about the former one', {
    'core/conversations/decisions/recalled.ts': [['(handedOver?.seq ?? 0) + 1', '0 * (handedOver?.seq ?? 0)']],
  }),
  defect('who has given a conversation back still writes in it', {
    'core/conversations/members/role.ts': [["run?.status === 'waiting' ? takenBy : undefined", 'takenBy']],
    'core/conversations/runs/standing.ts': [
      ['handOffs.includes(meta.takenBy.callbackId) ? meta.takenBy : undefined', 'handOffs && meta.takenBy'],
    ],
  }),
  defect('a claim takes a conversation from a colleague by accident', {
    'core/conversations/approvals/assign.ts': [['if (isTakeOver) checkClaim(', 'if (false) checkClaim(']],
  }),
  defect('a claim is stored with the callback alone', {
    'core/conversations/approvals/assign.ts': [['return { meta: claimed, rows', 'return { rows']],
  }),
  defect('the agent answers while a person talks with the owner', {
    'core/conversations/conversation/send-message.ts': [
      ['said.aside || (person && said.callbackId === undefined)', 'said.aside'],
    ],
  }),
  foundBy(
    'lambdas/executions',
    'a reply of a failed run, whose replacement is cancelled at once, is left to its provider',
    {
      'lambdas/todos.ts': [['await closeAsked(table, conversationId, run, now, registry.tools);', 'void closeAsked;']],
    },
  ),
  foundBy('core/conversations/members/members', 'somebody who is removed while a fork is made is in the fork', {
    'core/conversations/conversation/fork.ts': [['held(source),', '']],
  }),
  defect('a member who is added is led to the conversation by nothing', {
    'core/conversations/members/members.ts': [
      ['...is.filter((name) => !asBefore(name)).map((name) => sharedRow(meta, name, members![name]!, now)),', ''],
    ],
  }),
  defect('a result does not refer to the file that its tool has made', {
    'core/machines/loop/run-tool.ts': [
      ["'result' in outcome ? await files?.referencesIn(outcome.result) : undefined;", 'undefined;'],
    ],
  }),
  defect('a sub-agent reads a file that its task does not name', {
    'core/conversations/files/references.ts': [['task?.text?.includes(id) && row?.storedAt', 'task && row?.storedAt']],
  }),
  defect('a file that a sub-agent has read is not kept for it', {
    'core/conversations/files/references.ts': [
      ['{ rows: referring(owner, row, conversationId), answer: row }', '{ answer: row }'],
    ],
  }),
  defect('a fork does not refer to its files', {
    'core/conversations/conversation/fork.ts': [['        ...shared,\n', '']],
  }),
  foundBy('core/conversations/files/files', 'a file whose object is being deleted can be sent', {
    'core/conversations/files/sweep.ts': [["if (!row.isGoing && !(await write(table, '', going))) return false;", '']],
  }),
  defect('a file that is deleted stays in the sums of its user', {
    'core/conversations/files/sweep.ts': [['row.counted ? [uncounted(user, row.size)] : []', '[]']],
  }),
  foundBy('core/conversations/files/files', 'uploads that begin at the same moment pass the limit of files', {
    'core/conversations/files/sums.ts': [[', atMost: { files: most.count, bytes: most.all }', '']],
  }),
  defect('a file stays in the list of unused ones when a message refers to it', {
    'core/conversations/files/references.ts': [["remove: ['unusedSince', 'openFor', 'openSince'],", '']],
  }),
  defect('the provider of a reply that nobody waits for is not told to stop', {
    'core/conversations/calls/wait-kinds.ts': [["tells: 'provider',", 'tells: undefined,']],
  }),
  defect('the server of a task that is no longer needed is not told to stop', {
    'core/conversations/calls/wait-kinds.ts': [["tells: 'server',", 'tells: undefined,']],
  }),
  defect('a task stays open when its call has ended', {
    'core/conversations/calls/change-call.ts': [['...(closesTask ? closeTask(call, event, now) : [])', '']],
  }),
  foundBy('core/conversations/calls/deferred', 'a task begun for a call that was cancelled meanwhile is forgotten', {
    'core/machines/loop/run-tool.ts': [
      ["if (outcome.status === 'deferred') await leaveTask", 'if (false) await leaveTask'],
    ],
  }),
  foundBy('core/conversations/calls/deferred', 'a look at a task whose process died ends a `once` call', {
    'core/conversations/calls/call-state.ts': [['if (isTask && isOpen) return', 'if (false) return']],
  }),
  foundBy('core/conversations/calls/deferred', 'a task waits for another call of its step that waits for a person', {
    'core/conversations/decisions/route.ts': [
      ['lookAt !== undefined && lookAt < lastDay ? lookAt : lastDay', 'lastDay'],
    ],
  }),
  foundBy('core/machines/step/await-reply', 'a reply in the background that was cancelled is counted twice', {
    'core/conversations/replies/pending-reply.ts': [['|| callback.counted) return', ') return']],
  }),
  defect('a reply in the background stays open after it was fetched', {
    'core/conversations/runs/commit-step.ts': [
      ["...(await closePending(table, at.conversationId, run, 'answered', now)),", ''],
    ],
  }),
  defect('a table effect whose answer was lost is committed again', {
    'core/conversations/store/table.ts': [
      [
        'new TransactWriteCommand(command)',
        'new TransactWriteCommand({ ...command, ClientRequestToken: randomUUID() })',
      ],
    ],
    'core/machines/loop/run-tool.ts': [["?.status === 'answered'", '?.status !== null']],
  }),
  foundBy(
    'core/conversations/calls/call',
    'a later attempt that surely failed forgets what an earlier one may have done',
    {
      'core/conversations/calls/call-state.ts': [
        [
          "return isRunning ? { status: 'queued', uncertain } : undefined;",
          "return isRunning ? { status: 'queued', uncertain: undefined } : undefined;",
        ],
        ["uncertain: lost };\n    case 'give-up'", "uncertain: undefined };\n    case 'give-up'"],
      ],
    },
  ),
  defect('a run has patience with its models for a minute only', {
    'core/base/models/model-outage.ts': [['patienceMs = 3 * 86_400_000', 'patienceMs = 60_000']],
  }),
  defect('a model is asked sooner than its server allows', {
    'core/base/models/model-outage.ts': [['Math.max(now.getTime() + half, asked)', '(now.getTime() + half)']],
  }),
  defect('the next model is not asked while the first is out', {
    'core/conversations/decisions/choose-model.ts': [['if (!outage.isOut) return', 'return']],
  }),
  defect('the outage of a model is forgotten when the next one answers', {
    'core/conversations/runs/commit-step.ts': [
      ['withoutOutage(run.outages, answeredBy?.maker)', 'answeredBy ? undefined : run.outages'],
    ],
  }),
  defect('what is done stays to do', {
    'lambdas/todos.ts': [['if (own.length === todos.length) await', 'if (own.length < 0) await']],
  }),
  defect('who acts at once empties what is left to Relay', {
    'lambdas/todos.ts': [['if (own.length === todos.length) await', 'if (own.length >= 0) await']],
  }),
  defect('what could not be done counts as done', {
    'lambdas/todos.ts': [['failures.push(error)', 'void failures']],
  }),
  defect('of what follows from a transaction, only the first is done', {
    'lambdas/todos.ts': [['todo } of own) {', 'todo } of own.slice(0, 1)) {']],
  }),
  defect('Reconcile leaves what Relay has never heard of', {
    'lambdas/reconcile/reconcile-row.ts': [['if (row.todos.length === 0) return [];', 'if (row) return [];']],
  }),
  defect('the outcome of a sub-agent is kept and not reported', {
    'core/conversations/runs/run.ts': [
      [
        "withTodo({ ...meta, parent: { ...parent, outcome } }, { does: 'report' })",
        '{ ...meta, parent: { ...parent, outcome } }',
      ],
    ],
  }),
  defect('the execution of a run that is woken goes on sleeping', {
    'core/conversations/runs/segment.ts': [["withTodo(meta, stopOf(run, 'woken'))", 'meta']],
  }),
  defect('a new run has no execution', {
    'core/conversations/runs/run.ts': [["withTodo(meta, { does: 'start', runId: id, segment: 1, step: 0 })", 'meta']],
  }),
  defect('a deleted conversation is not swept', {
    'core/conversations/conversation/delete.ts': [["      toDo({ does: 'sweep' }),\n", '']],
  }),
  defect('a reply that was cut off grows', {
    'core/conversations/store/pieces.ts': [['stored.some(isEnd) ? [] : [end]', '[]']],
  }),
  foundBy('core/machines/loop/promises', 'a deleted conversation hears from a sub-agent', {
    'core/conversations/runs/append.ts': [['if (!current.owner)', 'if (!current.conversationId)']],
    'core/conversations/conversation/children.ts': [['if (!meta.owner)', 'if (!meta.conversationId)']],
  }),
  foundBy('core/machines/loop/promises', 'only the last of the runs after a delegated one is undone', {
    'core/conversations/conversation/children.ts': [['{ ...cancelled, undoFrom: firstRun }', 'cancelled']],
  }),
  defect('effects are undone by the time of their completion', {
    'core/machines/rollback/rollback.ts': [
      [
        'calls.findLast(isToBeUndone)',
        "calls.filter(isToBeUndone).sort((a, b) => ((a.completedAt ?? '') < (b.completedAt ?? '') ? 1 : -1))[0]",
      ],
    ],
  }),
  defect('a call is settled although it has changed meanwhile', {
    'core/conversations/calls/change-call.ts': [
      [
        'onlyIf: { status: call.status, attempts: call.attempts, ttl: call.ttl ?? null }',
        'onlyIf: { ttl: call.ttl ?? null }',
      ],
    ],
  }),
  foundBy('core/machines/loop/promises', 'what a tool writes into a deleted conversation stays', {
    'core/conversations/calls/change-call.ts': [['ttl: call.ttl ?? null }', '}']],
    'core/conversations/calls/settle.ts': [["ttl !== undefined && 'put' in row", "ttl === null && 'put' in row"]],
  }),
  defect('a fork that broke off is made as it is asked for the second time', {
    'core/conversations/conversation/fork.ts': [['? JSON.parse(there.forking)', '? requested']],
  }),
  defect('a lost connection throws a paid reply away', {
    'core/conversations/store/table.ts': [
      ["  'TimeoutError',\n  'ECONNRESET',\n", ''],
      ['busy.has(code) || ', ''],
    ],
  }),
  foundBy('core/machines/loop/promises', 'a sub-agent reports its latest run', {
    'core/conversations/conversation/children.ts': [
      [
        'const { agent, status, reason, runId: id, lastSeq, sources } = parent!.outcome!;',
        'const { agent, status, reason, id, sources } = run!; const lastSeq = 1e9;',
      ],
      ['{ conversationId, parent }: Meta)', '{ conversationId, parent: _, run }: Meta)'],
    ],
  }),
  defect('a cancelled run leaves its calls open', {
    'core/conversations/calls/close.ts': [['!isSettled(call.status) && !letFinish(call)', 'isSettled(call.status)']],
  }),
  defect('each attempt at a step reserves, and what the one before had reserved stays counted', {
    'core/conversations/runs/spending.ts': [['earlier?.on === dayOf(now)', "earlier?.on === ''"]],
  }),
  defect('a step keeps what it has reserved beside what it has used', {
    'core/conversations/runs/commit-step.ts': [['reservation ? [spent(meta.owner, reservation, usage)] : []', '[]']],
  }),
  defect('a timer that has fired stays counted', {
    'core/machines/timers/fire-timer.ts': [['row, ...noLongerCounted(timer)]', 'row]']],
  }),
  defect('what is closed stays listed', {
    'core/conversations/calls/callback.ts': [["remove: ['openFor', 'taskTokens']", "remove: ['taskTokens']"]],
  }),
  foundBy('core/machines/timers/fire-timer', 'a timer does not look whether it has fired', {
    'core/machines/timers/fire-timer.ts': [
      ["if (timer?.status !== 'active') return { answer: done };", 'if (!timer) return { answer: done };'],
    ],
  }),
  foundBy('core/conversations/calls/large-results', 'parts of a replaced result are read with those of the new one', {
    'core/conversations/calls/result.ts': [
      [
        'partKeys(call).map((sk) => rows.get(sk)!)',
        '[...rows].flatMap(([sk, data]) => (sk.includes(call.id) ? [data] : []))',
      ],
    ],
  }),
  foundBy('lambdas/odd-rows', 'an approval that cannot be read closes the inbox of its group', {
    'core/people/views/approvals.ts': [['ifReadable(StoredCallback, row)', 'StoredCallback.parse(row)']],
  }),
  foundBy('lambdas/odd-rows', 'a callback that cannot be read keeps its run from being cancelled', {
    'core/conversations/calls/change-call.ts': [[' && !endings.includes(event)', '']],
  }),
  foundBy('lambdas/relay', 'a record that is hopeless holds back those of other conversations', {
    'lambdas/relay.ts': [['if (isPassing(error)) waiting', 'if (error) waiting']],
  }),
  foundBy('core/conversations/calls/call-state', 'a call that waits for a person is given up', {
    'core/conversations/calls/call-state.ts': [
      [
        "return status === 'queued' || isRunning ? or('failed') : undefined;",
        "return isOpen ? or('failed') : undefined;",
      ],
    ],
    'core/conversations/calls/change-call.ts': [[' || (waitsForCallback && !endings.includes(event))', '']],
    'core/machines/loop/open-calls.ts': [
      ['const left = isAsking(call) ? call :', 'const left = isAsking(call) && !outcomeNow(call) ? call :'],
      ['if (!outcome || isAsking(current)) return current;', 'if (!outcome) return current;'],
    ],
  }),
  defect('a call that is withdrawn was not made, says its row, whatever an earlier attempt has done', {
    'core/conversations/calls/call-state.ts': [
      [
        "return isOpen ? or('cancelled', 'cancelled') : undefined;",
        "return isOpen ? { status: 'cancelled', callback: 'cancelled' } : undefined;",
      ],
    ],
  }),
  foundBy(
    'core/conversations/calls/call-state',
    'a call that is denied was not made, says its row, whatever an earlier attempt has done',
    {
      'core/conversations/calls/call-state.ts': [
        ["return or('failed', 'answered');", "return { status: 'failed', callback: 'answered' };"],
      ],
    },
  ),
  foundBy('core/conversations/rows', 'copies of rows of a deleted conversation expire', {
    'core/conversations/rows/kinds.ts': [["Object.hasOwn(row, name) && name !== 'ttl'", 'Object.hasOwn(row, name)']],
  }),
  defect('the execution of a cancelled run is not stopped', {
    'core/conversations/conversation/cancel.ts': [["isActive(run.status) ? [stopOf(run, 'cancelled')] : []", '[]']],
  }),
  defect('a row is read without ConsistentRead', {
    'core/conversations/store/table.ts': [['Key, ConsistentRead: true', 'Key, ConsistentRead: false']],
  }),
  defect('rows are queried without ConsistentRead', {
    'core/conversations/store/table.ts': [
      ['ConsistentRead: true,\n        ExclusiveStartKey', 'ConsistentRead: false,\n        ExclusiveStartKey'],
    ],
  }),
  defect('the conversations of the sub-agents of a deleted one stay', {
    'core/conversations/conversation/delete.ts': [['await markChildren(table, conversationId, now);', '']],
  }),
  foundBy(
    'core/conversations/conversation/cut-short',
    'a deletion forgets messages that wait for the end of a rollback',
    {
      'core/conversations/conversation/delete.ts': [
        [
          'await dropUnread(table, current)',
          '{ meta: { ...current, pending: [], queued: undefined, scheduled: undefined }, rows: [] }',
        ],
      ],
    },
  ),
  foundBy('core/machines/rollback/rollback', 'a rollback does not wait for a call whose tool another version has', {
    'core/conversations/calls/undoable.ts': [['!isSettled(call.status) && call.attempts > 0 &&', 'false &&']],
  }),
  foundBy(
    'core/machines/rollback/rollback',
    'a rollback that breaks off forgets the calls whose tools another version has',
    { 'core/machines/rollback/rollback.ts': [['isWithoutTool(tools, call) ||', 'false ||']] },
  ),
  foundBy(
    'core/conversations/conversation/overlaps',
    'a fork of a step that has just begun loses what the step reads',
    { 'core/conversations/conversation/fork.ts': [['!unread.has(row.seq)', "row.status !== 'pending'"]] },
  ),
  defect('a device gets a notice each time that it is delivered', {
    'modules/notices/claim-sending.ts': [["put, onlyIf: 'absent' }", 'put }']],
  }),
  foundBy('modules/notices/deliver-notice', 'a notice is recorded before it is sent', {
    'modules/notices/deliver-notice.ts': [
      ['const delivery = await send();', 'await recordSent(table, claim);\n  const delivery = await send();'],
    ],
  }),
  defect('a title is paid for again when its process dies', {
    'core/people/finding/generate-title.ts': [["{ ...current, titledBy: 'model' }", '{ ...current }']],
  }),
  foundBy('core/people/finding/generate-title', 'the title of a model replaces that of the user', {
    'core/people/finding/generate-title.ts': [["current.titledBy === 'model' && { title", '{ title']],
  }),
  defect('a memory stays when its call is undone', {
    'core/people/memory/memories.ts': [['set: { forgotten: true, ttl: goneAt(now) }', 'set: { ttl: goneAt(now) }']],
  }),
  defect('anyone who sees an approval decides about it', {
    'core/conversations/conversation/approve.ts': [
      ['if (callback && isApproval && capacity === undefined) throw notYours(callback, now);', ''],
    ],
  }),
  foundBy('core/conversations/approvals/standing', 'a standing approval is used more often than it allows', {
    'core/conversations/approvals/standing.ts': [['return uses.length <= calls &&', 'return uses.length >= 0 &&']],
  }),
  foundBy('core/conversations/approvals/standing', 'a call on the authority of a standing approval is not counted', {
    'core/conversations/runs/commit-step.ts': [['...counted,', '']],
  }),
  foundBy('core/conversations/approvals/standing', 'calls beside each other use one share of a standing approval', {
    'core/conversations/approvals/standing.ts': [
      ['onlyIf: { version, revokedAt: null },', 'onlyIf: { revokedAt: null },'],
    ],
  }),
  foundBy('core/conversations/approvals/standing', 'a standing approval is used after words from outside', {
    'core/conversations/calls/approval.ts': [['!why && !guardAsks && !sources?.length &&', '!why && !guardAsks &&']],
  }),
  defect('a decision in somebody’s place is made after the absence has ended', {
    'core/conversations/conversation/approve.ts': [['standIn ? [usesStandIn(caller.user, standIn, now)] : []', '[]']],
  }),
  defect('a stand-in decides again in the place of who has decided', {
    'core/conversations/approvals/steps.ts': [['by === user || inPlaceOf === user', 'by === user']],
  }),
  defect('somebody stands in after the time of the absence', {
    'core/conversations/approvals/absence.ts': [['now.toISOString() < (', 'now.toISOString() !== (']],
  }),
  defect('a stand-in denies what they have approved after the absence has ended', {
    'core/conversations/approvals/right.ts': [
      ["return still ? { capacity: own, standIn: still } : { capacity: 'another time' };", 'return { capacity: own };'],
    ],
  }),
  defect('one person approves for two', {
    'core/conversations/conversation/approve.ts': [
      ['if (verdict.approved && hasDecided(callback, caller.user)) return { answer: meta };', ''],
    ],
  }),
  defect('others decide before an approval has escalated', {
    'core/conversations/approvals/steps.ts': [
      ["(escalatesAt(callback) ?? '~') <= now.toISOString()", 'step.escalation !== undefined'],
    ],
  }),
  defect('the last of several approvers is not asked', {
    'core/conversations/approvals/steps.ts': [
      ['isComplete: next === undefined,', 'isComplete: next === undefined || next === stepsOf(decided).at(-1),'],
    ],
  }),
  defect('a message that is sent twice is stored twice', {
    'core/conversations/runs/once.ts': [["  onlyIf: 'absent',\n", '']],
  }),
  foundBy('modules/notices', 'two processes claim the sending of one notice', {
    'modules/notices/claim-sending.ts': [["[{ ...key, put, onlyIf: 'absent' }]", '[{ ...key, put }]']],
  }),
  foundBy('core/conversations/conversation/sizes', 'META has long metadata', {
    'core/conversations/rows/meta.ts': [['const givenBytesInMeta = 1_000;', 'const givenBytesInMeta = 1e9;']],
  }),
  foundBy('core/conversations/conversation/delete', 'an id is free although versions of its conversation are left', {
    'core/conversations/runs/conversation.ts': [['if (versions.length === 0 ||', 'if (versions.length >= 0 ||']],
  }),
  defect('Relay resumes nothing', {
    'lambdas/todos.ts': [['resume(client, taskTokens, route)', 'Promise.resolve([resume, client, taskTokens, route])']],
  }),
  defect('Relay drops the tokens of an answer, and marks them as sent', {
    'lambdas/todos.ts': [['resume(client, taskTokens, route)', 'resume(client, taskTokens.slice(0, 0), route)']],
  }),
  defect('Relay sends the first of two tokens only', {
    'lambdas/todos.ts': [['resume(client, taskTokens, route)', 'resume(client, taskTokens.slice(0, 1), route)']],
  }),
  defect('a token whose sending was throttled is marked as sent', {
    'lambdas/executions.ts': [
      ["const over = ['TaskTimedOut', ", "const over = ['ThrottlingException', 'TaskTimedOut', "],
    ],
  }),
  defect('a callback is closed although a token was stored meanwhile', {
    'core/conversations/calls/callback.ts': [
      ["onlyIf: resumes ? { version } : { status: 'pending' }", "onlyIf: { status: 'pending' }"],
    ],
  }),
  defect('Ask keeps the token of what has its outcome', {
    'core/conversations/calls/callback.ts': [
      ['if (!callback || !isOpen(callback, now)) return false;', 'if (!callback) return false;'],
    ],
  }),
  defect('Relay leaves the token of a delegation to the process that reports its end', {
    'core/conversations/calls/callback.ts': [
      ['resumes && taskTokens.length > 0', "resumes && kind !== 'agent' && taskTokens.length > 0"],
    ],
  }),
  defect('an approval is withdrawn, and its execution waits for its end', {
    'core/conversations/calls/close.ts': [
      ["'cancel', { ...change, resumes: true }", "'cancel', { ...change, resumes: false }"],
    ],
  }),
  defect('the execution of a cancelled timer is not stopped', {
    'core/conversations/calls/timer.ts': [['  stopWaiting(timer),\n  ...noLonger', '  ...noLonger']],
  }),
  defect('the execution of a timer that is resumed or changed is not started', {
    'core/conversations/timers/change-timer.ts': [
      ["[stopWaiting(timer, 'renewed'), waitFor(restarted)]", "[stopWaiting(timer, 'renewed')]"],
    ],
  }),
  defect('the execution before a timer was changed goes on sleeping', {
    'core/conversations/timers/change-timer.ts': [
      ["[stopWaiting(timer, 'renewed'), waitFor(restarted)]", '[waitFor(restarted)]'],
    ],
  }),
  foundBy('core/conversations/members/members', 'a version that is forked while people change keeps them', {
    'core/conversations/store/change-conversation.ts': [
      ['    if ((await listed()).some((id) => !ids.includes(id))) return undefined;\n', ''],
    ],
  }),
  foundBy('core/conversations/calls/deferred', 'a run continues while a slow attempt has left its call to its server', {
    'core/machines/loop/open-calls.ts': [
      ['if (!outcome || isAsking(current)) return current;', 'if (!outcome || isAsking(current)) return undefined;'],
    ],
  }),
  foundBy('core/machines/timers/fire-timer', 'a paused timer is cancelled when its execution ends', {
    'core/conversations/timers/change-timer.ts': [
      ["timer.segment === segment && timer.status === 'active'", 'timer.segment === segment'],
    ],
  }),
  foundBy('core/machines/timers/fire-timer', 'a timer that is run by hand runs again when the request is repeated', {
    'core/machines/timers/fire-timer.ts': [['      once,\n      text: `🔁 Run by hand', '      text: `🔁 Run by hand']],
  }),
  foundBy('modules/schedules/declared-schedules', 'what the code declares is applied twice', {
    'modules/schedules/declared-schedules.ts': [
      ["onlyIf: before ? { version: before.version } : 'absent',", ''],
      [
        'conversationFor({ agent, schedule, user }, before);\n  const row',
        "`s_${Math.random()}`.replace('0.', '');\n  const row",
      ],
    ],
  }),
  defect('a sub-agent goes on when the run that asked for its help is cancelled', {
    'core/conversations/conversation/children.ts': [
      [
        'if (!(await readShownMeta(table, conversationId))) return undefined;\n  const cancel',
        'if (conversationId) return undefined;\n  const cancel',
      ],
    ],
  }),
  defect('a reply is shown while it comes, before its guards have checked it', {
    'core/machines/step/ask-model.ts': [
      ["guardsAt(step.agent, 'output').length === 0", "guardsAt(step.agent, 'output').length >= 0"],
    ],
  }),
  defect('what a guard has replaced is read as it was in the next request', {
    'core/conversations/runs/log.ts': [
      ['messageAsHeard(parsedAs(StoredMessage, row))', 'parsedAs(StoredMessage, row)'],
    ],
  }),
  foundBy('core/conversations/approvals/absence', 'who names two stand-ins at the same moment has both', {
    'core/conversations/approvals/absence.ts': [
      ["onlyIf: before ? { version: before.version } : 'absent',", 'onlyIf: undefined as never,'],
    ],
  }),
  foundBy('modules/notices/claim-sending', 'two deliveries take the place of one that died, and both send', {
    'modules/notices/claim-sending.ts': [
      ["set: { until }, onlyIf: { state: 'sending', version }", 'set: { until }, onlyIf: undefined as never'],
    ],
  }),
  foundBy('modules/notices/claim-sending', 'a delivery that was too slow gives up the claim of another', {
    'modules/notices/claim-sending.ts': [
      [
        "set: { until: now.toISOString() }, onlyIf: { state: 'sending', version }",
        'set: { until: now.toISOString() }, onlyIf: undefined as never',
      ],
    ],
  }),
  foundBy('core/people/presence/read-marks', 'a slow request moves a mark of what was read back', {
    'core/people/presence/read-marks.ts': [
      [
        "const onlyIf = before ? { version: before.version } : ('absent' as const);",
        'const onlyIf = undefined as never;',
      ],
    ],
  }),
  foundBy('modules/mcp-server/app', 'to cancel a task that is over cancels the run of a later message', {
    'modules/mcp-server/server.ts': [['if (!isOver(conversation, place))', 'if (true)']],
  }),
  foundBy('core/conversations/approvals/steps', 'of an approval in steps, only the first step reminds', {
    'core/conversations/conversation/approve.ts': [['isNewStep ? putReminder(', 'false ? putReminder(']],
  }),
  foundBy(
    'core/machines/step/guarded',
    'an attempt that has been replaced stores verdicts, and the model reads the message',
    { 'core/machines/step/guarded.ts': [['set: {}, onlyIf: { writer } }', 'set: {}, onlyIf: { seq } }']] },
  ),
  foundBy(
    'core/conversations/files/readings',
    'a file that one model’s provider has refused is withheld from all models',
    {
      'core/conversations/files/readings.ts': [['one.maker === maker &&', '']],
    },
  ),
  foundBy('core/conversations/files/readings', 'a step that dies after it has noted a refused file tells nobody', {
    'core/machines/step/files.ts': [['if (refusal?.step === reader.step) found.add(id);', '']],
  }),
  foundBy('lambdas/models/refused-files', 'the file that was left out by guess is good, and stays left out', {
    'lambdas/models/refused-files.ts': [
      [
        'const suspects = guessed ? [...sent, guessed.id] : sent;',
        'const suspects = sent; if (guessed) certain.set(guessed.id, guessed.why);',
      ],
    ],
  }),
  foundBy('core/machines/loop/read-on', 'what is read on of a stranger’s result counts as the user’s', {
    'core/conversations/decisions/judge.ts': [['result, reads, sources, completedAt', 'result, reads, completedAt']],
  }),
  foundBy('core/machines/step/await-reply', 'a cancelled reply whose step is made anew costs its user nothing', {
    'core/conversations/replies/pending-reply.ts': [['return [spentBeside(owner, usage, now)];', 'return [];']],
  }),
  // In the code of what is to be done, of the kinds of waits, of the stages of a step and of the ways of a message.
  defect('what is done of a deleted conversation stays', {
    'core/conversations/store/table.ts': [
      ['put: { todos: [], at, ttl: ttlAfter(timeOf(table), 1) }', 'put: { todos: [], at }'],
    ],
  }),
  defect('what follows in another conversation is done in the one of the transaction', {
    'core/conversations/store/write.ts': [
      ['conversationId: write.pk ? conversationIn(write.pk) : conversationId, todo', 'conversationId, todo'],
    ],
  }),
  foundBy('lambdas/todos', 'what follows from a transaction is done although its condition has failed', {
    'core/conversations/store/table.ts': [['if (isDone && todoRow)', 'if (todoRow)']],
  }),
  foundBy('lambdas/todos', 'an entry that fails for good keeps those after it from being done', {
    'lambdas/todos.ts': [
      ["if (error.name !== 'NotFound') failures.push(error);", "if (error.name !== 'NotFound') throw error;"],
    ],
  }),
  defect('a sub-agent is told to stop when a message replaces the failed run that has asked it', {
    'core/conversations/calls/wait-kinds.ts': [
      ["tells: 'sub-agent', afterFailure: 'kept'", "tells: 'sub-agent', afterFailure: 'closed'"],
    ],
  }),
  defect('an address that an outside system has is closed when a message replaces the failed run', {
    'core/conversations/calls/wait-kinds.ts': [
      ["afterFailure: 'kept', timer: 'expires'", "afterFailure: 'closed', timer: 'expires'"],
    ],
  }),
  defect('what a server does for a failed run goes on when a message replaces it', {
    'core/conversations/calls/wait-kinds.ts': [
      ["tells: 'server', afterFailure: 'closed'", "tells: 'server', afterFailure: 'kept'"],
    ],
  }),
  defect('an approval of a failed run stays open when a message replaces it', {
    'core/conversations/calls/wait-kinds.ts': [
      [
        "awaitedIn: 'approval', tells: undefined, afterFailure: 'closed'",
        "awaitedIn: 'approval', tells: undefined, afterFailure: 'kept'",
      ],
    ],
  }),
  defect('of the failed runs that a message replaces, only the last has its approvals closed', {
    'core/conversations/calls/close.ts': [
      [
        'readCallbacks(table, conversationId, runPrefix(undoFrom), `${id}.`)',
        'readCallbacksOfRun(table, conversationId, id)',
      ],
    ],
  }),
  // It was there, and the exploration has found it.
  defect('a run that has replaced a failed one cancels its own first reply in the background', {
    'core/conversations/calls/close.ts': [['if (callback.id.startsWith(`${id}.`)) continue;', '']],
  }),
  foundBy('core/conversations/calls/paused', 'the answer to a server’s question leads to the state of the tool', {
    'core/conversations/calls/callback.ts': [
      ["=== 'approval' && approved && !asker ?", "=== 'approval' && approved ?"],
    ],
  }),
  foundBy('core/conversations/members/effects', 'a run that is cancelled for the second time has no second rollback', {
    'core/conversations/conversation/cancel.ts': [
      ['segment: run.segment + 1,\n  stoppedBy: undefined', 'stoppedBy: undefined'],
    ],
  }),
  defect('of the messages that a cancel drops, those that its transaction has no room for stay unread', {
    'core/conversations/conversation/cancel.ts': [['messages: unread.left }', 'messages: [] }']],
  }),
  defect('the report of a sub-agent wakes a failed run', {
    'core/conversations/conversation/children.ts': [
      ['isActive(meta.run.status) ? standing(told, answer.status) : told', 'standing(told, answer.status)'],
    ],
  }),
  defect('the report to a run that was replaced decides what the current one waits for', {
    'core/conversations/conversation/children.ts': [
      ['if (meta.run.id !== callback.runId) return newsOf(', "if (meta.run.id === '') return newsOf("],
    ],
  }),
  defect('a sub-agent that has failed reports nothing', {
    'core/conversations/conversation/fail.ts': [['meta: reporting({', 'meta: Object.freeze({']],
  }),
  defect('a sub-agent that has reached a limit reports nothing', {
    'core/conversations/runs/run.ts': [['return { meta: reporting(kept), rows', 'return { meta: kept, rows']],
  }),
  defect('a rollback that was under way when the table was restored is not continued', {
    'core/machines/reconcile/renew-run.ts': [
      ["if (status === 'cancelling') return [{", "if (status === 'cancelling' && step < 0) return [{"],
    ],
  }),
  defect('the execution of a paused timer goes on sleeping', {
    'core/conversations/timers/change-timer.ts': [
      ['withWrites(timer, moved, [stopWaiting(timer)])', 'withWrites(timer, moved)'],
    ],
  }),
  defect('who was in a deleted conversation is still led to it', {
    'core/conversations/conversation/delete.ts': [['      ...unsharedRows(meta, now),\n', '']],
  }),
  defect('the ids that clients give to messages are those of all people of a conversation', {
    'core/conversations/conversation/send-message.ts': [
      [
        'return { by: userOf(user), id: clientMessageId, content };',
        "return { by: '', id: clientMessageId, content };",
      ],
    ],
  }),
  defect('other words under an id that was used are taken for a repeated request', {
    'core/conversations/conversation/send-message.ts': [
      ['const content = { ...contentOf(said), callbackId,', 'const content = { callbackId,'],
    ],
  }),
  defect('a message that is stored is refused when its request is repeated after the question was answered', {
    'core/conversations/conversation/send-message.ts': [
      ['  } catch (error) {\n', "  } catch (error) {\n    if ((error as Error).name !== 'RowConflict') throw error;\n"],
    ],
  }),
  defect('a message that interrupts a reply in the background leaves it to its provider', {
    'core/conversations/conversation/send-message.ts': [
      ["    ...(await closePending(table, conversationId, run, 'cancelled', now)),\n", ''],
    ],
  }),
  defect('an answered question leaves the run waiting, and only its conversation works', {
    'core/conversations/conversation/send-message.ts': [
      ['standing(before!, outcome.status)', '({ ...before!, ...outcome.status }) as Meta'],
    ],
  }),
  defect('who has not claimed a conversation gives it back', {
    'core/conversations/conversation/send-message.ts': [
      ['if (question) checkGivesBack(', 'if (question && said.ends) checkGivesBack('],
    ],
  }),
  defect('what a guard has replaced is read as it was by the step that has checked it', {
    'core/machines/step/guarded.ts': [['messages: log.messages.map(asHeard)', 'messages: log.messages']],
  }),
  foundBy('core/machines/step/budget', 'an attempt that was replaced uses what the other one has reserved', {
    'core/machines/step/step.ts': [
      ['if (own?.writer !== draft.writer) throw superseded();', 'if (!own) throw superseded();'],
    ],
  }),
  foundBy(
    'core/machines/step/budget',
    'what a reply has used that came after its run had been stopped is not counted',
    {
      'core/machines/step/make-step.ts': [["await countLost(step, 'stopped', decided.usage);", 'void countLost;']],
    },
  ),
  foundBy('core/machines/step/files', 'a model is paid again while the store does not answer', {
    'core/machines/step/files.ts': [["await step.loop.files?.find('files/none');", '']],
  }),
  foundBy('core/machines/step/await-reply', 'a reply in the background to another request is taken for the summary', {
    'core/machines/step/await-reply.ts': [[' && Boolean(pending.isSummary) === Boolean(summary)', '']],
  }),
  foundBy('core/conversations/calls/deferred', 'the server of a task that was begun for a cancelled call is not told', {
    'core/conversations/calls/task.ts': [['[row, ...todos]', '[row]']],
  }),
  defect('the webhook of a reply in the background resumes nothing', {
    'core/conversations/replies/pending-reply.ts': [
      [
        "closeCallback(callback, 'answered', now)).catch",
        "closeCallback(callback, 'answered', now).slice(0, 1)).catch",
      ],
    ],
  }),
  foundBy('core/machines/rollback/rollback', 'a failed run whose hold is over begins a second rollback', {
    'core/machines/rollback/rollback.ts': [["filter(({ does }) => does !== 'rollback')", 'slice()']],
  }),
];

/** What looked for a defect, and the first promise or test that it breaks. */
interface Looked {
  by: string;
  /** How many schedules were explored. */
  schedules?: number;
  broken?: string;
}

/** Returns the words of a defect that are not in their files any more. */
export const placesMissing = ({ name, changes }: Defect): string[] =>
  Object.entries(changes).flatMap(([file, pairs]) => {
    const contents = readFileSync(join(root, file), 'utf8');
    return pairs
      .filter(([from]) => !contents.includes(from))
      .map(([from]) => `"${name}" finds no "${from}" in ${file}`);
  });

/** Explores core with a defect in it. */
export async function exploreWith(defect: Defect, seeds: number): Promise<Looked> {
  const [missing] = placesMissing(defect);
  if (missing) throw new Error(missing);
  const { schedules, violations } = await exploreInProcesses({
    seeds,
    enough: 1,
    processes: 1,
    plugins: [planted(defect)],
  });
  const broken = violations[0]?.broken.at(-1)?.split('\n')[0];
  if (broken?.startsWith('ReferenceError')) throw new Error(`"${defect.name}" does not run: ${broken}`);
  return { by: `${schedules} schedules`, schedules, broken };
}

/** Runs the unit tests whose path has `test` with a defect in what they load. */
export async function testWith({ name, changes }: Defect, test: string): Promise<Looked> {
  const [missing] = placesMissing({ name, changes });
  if (missing) throw new Error(missing);
  const args = ['jest', '-c', 'test/explore/planted.config.js', '--runInBand', '--', test];
  const env = { ...process.env, VIGIL_PLANTED: JSON.stringify(changes) };
  const said = await promisify(execFile)('npx', args, { cwd: root, env, maxBuffer: 1e9 }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
  return { by: test, broken: /● (.+)/.exec(said)?.[1] };
}

const planted = ({ changes }: Defect): Plugin => ({
  name: 'planted',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(root, path);
      if (!changes[file]) return undefined;
      const contents = changes[file].reduce(
        (text, [from, to]) => text.replace(from, () => to),
        readFileSync(path, 'utf8'),
      );
      return { contents, loader: 'ts' };
    });
  },
});
