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

/** Those that others have planted and found, and one for each promise. */
export const defects: Defect[] = [
  {
    name: 'the files of a deleted conversation stay',
    changes: {
      'core/conversations/conversation/delete.ts': [['await releaseFiles(table, owner, conversationId, now);', '']],
    },
  },
  {
    name: 'who is not in a conversation writes in it',
    changes: {
      'core/conversations/conversation/send-message.ts': [
        ["checkRole(before, said.user, 'member') === 'owner';", 'before.owner === userOf(said.user);'],
      ],
    },
  },
  {
    name: 'who was removed still says what they think of a message',
    changes: {
      'core/conversations/members/feedback.ts': [
        ["    checkRole(meta, by, 'member');\n", ''],
        ["  await readMetaFor(table, conversationId, by, 'member');\n", ''],
      ],
    },
  },
  {
    name: 'a fork has the feedback of its original',
    test: 'core/conversations/members/feedback',
    changes: {
      'core/conversations/conversation/fork.ts': [['({ feedback: _, ...row }: MessageRow', '(row: MessageRow']],
    },
  },
  {
    name: 'a member’s words count as the owner’s',
    changes: {
      'core/conversations/members/role.ts': [["return { author, sources: ['member'],", 'return { author,']],
    },
  },
  {
    name: 'a member’s wish is enough for an effect',
    changes: { 'core/conversations/decisions/provenance.ts': [['isAskedByMember && !isForMembers(tool)', 'false']] },
  },
  {
    name: 'a conversation that is handed over stays counted for its former owner',
    changes: {
      'core/conversations/members/ownership.ts': [
        ["...countChange(current, { ...current, owner: '', deletedFor: owner }),", ''],
      ],
    },
  },
  {
    name: 'who has given a conversation back still writes in it',
    changes: {
      'core/conversations/members/role.ts': [["takenBy && run?.status === 'waiting' && ", 'takenBy && run && ']],
      'core/conversations/conversation/send-message.ts': [
        ['function givenBack({ takenBy: _, ...meta }: Meta,', 'function givenBack(meta: Meta,'],
      ],
    },
  },
  {
    name: 'a claim takes a conversation from a colleague by accident',
    changes: {
      'core/conversations/approvals/assign.ts': [
        ["if (callback.kind === 'person') checkClaim(", 'if (false) checkClaim('],
      ],
    },
  },
  {
    name: 'a claim is stored with the callback alone',
    changes: {
      'core/conversations/approvals/assign.ts': [['return { meta: { ...meta, takenBy }, rows', 'return { rows']],
    },
  },
  {
    name: 'the agent answers while a person talks with the owner',
    changes: {
      'core/conversations/conversation/send-message.ts': [
        ['said.aside || (person && said.callbackId === undefined)', 'said.aside'],
      ],
    },
  },
  {
    name: 'a reply of a failed run, whose replacement is cancelled at once, is left to its provider',
    test: 'lambdas/executions',
    changes: {
      'lambdas/executions.ts': [['await closeAsked(table, meta.conversationId, meta.run, new Date(), tools);', '']],
    },
  },
  {
    name: 'somebody who is removed while a fork is made is in the fork',
    test: 'core/conversations/members/members',
    changes: { 'core/conversations/conversation/fork.ts': [['...membersOf(source)', '']] },
  },
  {
    name: 'a member who is added is led to the conversation by nothing',
    changes: {
      'core/conversations/members/members.ts': [
        ['...is.filter((name) => !was.includes(name)).map((name) => sharedRow(name, meta.conversationId)),', ''],
      ],
    },
  },
  {
    name: 'a result does not refer to the file that its tool has made',
    changes: {
      'core/machines/loop/run-tool.ts': [
        ["'result' in outcome ? await files?.referencesIn(outcome.result) : undefined;", 'undefined;'],
      ],
    },
  },
  {
    name: 'a sub-agent reads a file that its task does not name',
    changes: {
      'core/conversations/files/references.ts': [
        ['task?.text?.includes(id) && row?.storedAt', 'task && row?.storedAt'],
      ],
    },
  },
  {
    name: 'a file that a sub-agent has read is not kept for it',
    changes: {
      'core/conversations/files/references.ts': [
        ['{ rows: referring(owner, row, conversationId), answer: row }', '{ answer: row }'],
      ],
    },
  },
  {
    name: 'a fork does not refer to its files',
    changes: {
      'core/conversations/conversation/fork.ts': [['        ...shared,\n', '']],
    },
  },
  {
    name: 'a file whose object is being deleted can be sent',
    test: 'core/conversations/files/files',
    changes: {
      'core/conversations/files/sweep.ts': [
        [
          "if (!row.isGoing && !(await write(table, '', [changeFile(user, row, { set: { isGoing: true } })]))) return false;",
          '',
        ],
      ],
    },
  },
  {
    name: 'a file stays in the list of unused ones when a message refers to it',
    changes: {
      'core/conversations/files/references.ts': [["remove: ['unusedSince', 'openFor', 'openSince'],", '']],
    },
  },
  {
    name: 'the provider of a reply that nobody waits for is not told to stop',
    changes: {
      'core/conversations/calls/callback.ts': [
        ["kind === 'agent' || kind === 'model' || kind", "kind === 'agent' || kind"],
      ],
    },
  },
  {
    name: 'the server of a task that is no longer needed is not told to stop',
    changes: {
      'core/conversations/calls/callback.ts': [["kind === 'model' || kind === 'task';", "kind === 'model';"]],
    },
  },
  {
    name: 'a task stays open when its call has ended',
    changes: {
      'core/conversations/calls/change-call.ts': [['...(closesTask ? [closeTask(call, event, now)] : [])', '']],
    },
  },
  {
    name: 'a task begun for a call that was cancelled meanwhile is forgotten',
    test: 'core/conversations/calls/deferred',
    changes: {
      'core/machines/loop/run-tool.ts': [
        ["if (outcome.status === 'deferred') await leaveTask", 'if (false) await leaveTask'],
      ],
    },
  },
  {
    name: 'a look at a task whose process died ends a `once` call',
    test: 'core/conversations/calls/deferred',
    changes: { 'core/conversations/calls/call-state.ts': [['if (isTask && isOpen) return', 'if (false) return']] },
  },
  {
    name: 'a task waits for another call of its step that waits for a person',
    test: 'core/conversations/calls/deferred',
    changes: {
      'core/conversations/decisions/route.ts': [
        ['lookAt !== undefined && lookAt < lastDay ? lookAt : lastDay', 'lastDay'],
      ],
    },
  },
  {
    name: 'a reply in the background that was cancelled is counted twice',
    test: 'core/machines/replies/await-reply',
    changes: {
      'core/conversations/replies/pending-reply.ts': [['|| callback.counted) return', ') return']],
    },
  },
  {
    name: 'a reply in the background stays open after it was fetched',
    changes: {
      'core/conversations/runs/commit-step.ts': [
        ["...(await closePending(table, at.conversationId, run, 'answered', now)),", ''],
      ],
    },
  },
  {
    name: 'the late question of an execution forgets to tell the provider',
    test: 'core/conversations/calls/callback',
    changes: {
      'core/conversations/calls/callback.ts': [
        ["= ['answered', 'expired'],", "= ['answered', 'expired', 'cancelled'],"],
      ],
    },
  },
  {
    name: 'a table effect whose answer was lost is committed again',
    changes: {
      'core/conversations/store/table.ts': [
        [
          'new TransactWriteCommand(command)',
          'new TransactWriteCommand({ ...command, ClientRequestToken: randomUUID() })',
        ],
      ],
      'core/machines/loop/run-tool.ts': [["?.status === 'answered'", '?.status !== null']],
    },
  },
  {
    name: 'a later attempt that surely failed forgets what an earlier one may have done',
    test: 'core/conversations/calls/call',
    changes: {
      'core/conversations/calls/call-state.ts': [
        [
          "return isRunning ? { status: 'queued', uncertain } : undefined;",
          "return isRunning ? { status: 'queued', uncertain: undefined } : undefined;",
        ],
        ["uncertain: lost };\n    case 'give-up'", "uncertain: undefined };\n    case 'give-up'"],
      ],
    },
  },
  {
    name: 'a run has patience with its models for a minute only',
    changes: { 'core/base/models/model-outage.ts': [['patienceMs = 3 * 86_400_000', 'patienceMs = 60_000']] },
  },
  {
    name: 'a model is asked sooner than its server allows',
    changes: {
      'core/base/models/model-outage.ts': [['Math.max(now.getTime() + half, asked)', '(now.getTime() + half)']],
    },
  },
  {
    name: 'the next model is not asked while the first is out',
    changes: { 'core/conversations/decisions/choose-model.ts': [['if (!outage.isOut) return', 'return']] },
  },
  {
    name: 'the outage of a model is forgotten when the next one answers',
    changes: {
      'core/conversations/runs/commit-step.ts': [
        ['withoutOutage(run.outages, answeredBy?.maker)', 'answeredBy ? undefined : run.outages'],
      ],
    },
  },
  {
    name: 'a stop stays in the outbox when it is done',
    changes: {
      'core/conversations/store/table.ts': [["onlyIf: { outbox: 'stop' } }]", "onlyIf: { outbox: 'start' } }]"]],
    },
  },
  {
    name: 'a reply that was cut off grows',
    changes: { 'core/conversations/store/pieces.ts': [['stored.some(isEnd) ? [] : [end]', '[]']] },
  },
  {
    name: 'a deleted conversation hears from a sub-agent',
    test: 'core/machines/loop/promises',
    changes: {
      'core/conversations/runs/append.ts': [['if (!current.owner)', 'if (!current.conversationId)']],
      'core/conversations/conversation/children.ts': [['if (!meta.owner)', 'if (!meta.conversationId)']],
    },
  },
  {
    name: 'only the last of the runs after a delegated one is undone',
    test: 'core/machines/loop/promises',
    changes: { 'core/conversations/conversation/children.ts': [['undoFrom: firstRun, segment', 'segment']] },
  },
  {
    name: 'effects are undone by the time of their completion',
    changes: {
      'core/machines/rollback/rollback.ts': [
        [
          'calls.findLast(isToBeUndone)',
          "calls.filter(isToBeUndone).sort((a, b) => ((a.completedAt ?? '') < (b.completedAt ?? '') ? 1 : -1))[0]",
        ],
      ],
    },
  },
  {
    name: 'a call is settled although it has changed meanwhile',
    changes: {
      'core/conversations/calls/change-call.ts': [
        [
          'onlyIf: { status: call.status, attempts: call.attempts, ttl: call.ttl ?? null }',
          'onlyIf: { ttl: call.ttl ?? null }',
        ],
      ],
    },
  },
  {
    name: 'what a tool writes into a deleted conversation stays',
    test: 'core/machines/loop/promises',
    changes: {
      'core/conversations/calls/change-call.ts': [['ttl: call.ttl ?? null }', '}']],
      'core/conversations/calls/settle.ts': [["ttl !== undefined && 'put' in row", "ttl === null && 'put' in row"]],
    },
  },
  {
    name: 'a fork that broke off is made as it is asked for the second time',
    changes: {
      'core/conversations/conversation/fork.ts': [['? JSON.parse(there.forking)', '? requested']],
    },
  },
  {
    name: 'a lost connection throws a paid reply away',
    changes: {
      'core/conversations/store/table.ts': [
        ["  'TimeoutError',\n  'ECONNRESET',\n", ''],
        ['busy.has(code) || ', ''],
      ],
    },
  },
  {
    name: 'a sub-agent reports its latest run',
    test: 'core/machines/loop/promises',
    changes: {
      'core/conversations/conversation/children.ts': [
        [
          'const { agent, status, reason, runId: id, lastSeq, sources } = parent!.outcome!;',
          'const { agent, status, reason, id, sources } = run!; const lastSeq = 1e9;',
        ],
        ['{ conversationId, parent }: Meta)', '{ conversationId, parent: _, run }: Meta)'],
      ],
    },
  },
  {
    name: 'a cancelled run leaves its calls open',
    changes: {
      'core/conversations/calls/close.ts': [['!isSettled(call.status) && !letFinish(call)', 'isSettled(call.status)']],
    },
  },
  {
    name: 'each attempt at a step reserves, and what the one before had reserved stays counted',
    changes: { 'core/conversations/runs/spending.ts': [['earlier?.on === dayOf(now)', "earlier?.on === ''"]] },
  },
  {
    name: 'a step keeps what it has reserved beside what it has used',
    changes: {
      'core/conversations/runs/commit-step.ts': [['reservation ? [spent(meta.owner, reservation, usage)] : []', '[]']],
    },
  },
  {
    name: 'a timer that has fired stays counted',
    changes: { 'core/machines/timers/fire-timer.ts': [['row, ...noLongerCounted(timer)]', 'row]']] },
  },
  {
    name: 'what is closed stays listed',
    changes: { 'core/conversations/calls/callback.ts': [["remove: ['openFor', ...(resumes", 'remove: [...(resumes']] },
  },
  {
    name: 'a timer does not look whether it has fired',
    changes: {
      'core/machines/timers/fire-timer.ts': [
        ["if (timer?.status !== 'active') return { answer: done };", 'if (!timer) return { answer: done };'],
      ],
    },
  },
  {
    name: 'parts of a replaced result are read with those of the new one',
    test: 'core/conversations/calls/large-results',
    changes: {
      'core/conversations/calls/result.ts': [
        [
          'partKeys(call).map((sk) => rows.get(sk)!)',
          '[...rows].flatMap(([sk, data]) => (sk.includes(call.id) ? [data] : []))',
        ],
      ],
    },
  },
  {
    name: 'an approval that cannot be read closes the inbox of its group',
    test: 'lambdas/odd-rows',
    changes: { 'core/people/views/approvals.ts': [['ifReadable(StoredCallback, row)', 'StoredCallback.parse(row)']] },
  },
  {
    name: 'a callback that cannot be read keeps its run from being cancelled',
    test: 'lambdas/odd-rows',
    changes: { 'core/conversations/calls/change-call.ts': [[' && !endings.includes(event)', '']] },
  },
  {
    name: 'a record that is hopeless holds back those of other conversations',
    test: 'lambdas/relay',
    changes: { 'lambdas/relay.ts': [['if (isPassing(error)) waiting', 'if (error) waiting']] },
  },
  {
    name: 'a call that waits for a person is given up',
    test: 'core/conversations/calls/call-state',
    changes: {
      'core/conversations/calls/call-state.ts': [
        [
          "return status === 'queued' || isRunning ? or('failed') : undefined;",
          "return isOpen ? or('failed') : undefined;",
        ],
      ],
      'core/conversations/calls/change-call.ts': [[' || (waitsForCallback && !endings.includes(event))', '']],
      'core/machines/loop/open-calls.ts': [
        ['if (isAsking(call)) {', 'if (isAsking(call) && !outcomeNow(call)) {'],
        ['if (!outcome || isAsking(current)) return;', 'if (!outcome) return;'],
      ],
    },
  },
  {
    name: 'a call that is withdrawn was not made, says its row, whatever an earlier attempt has done',
    changes: {
      'core/conversations/calls/call-state.ts': [
        [
          "return isOpen ? or('cancelled', 'cancelled') : undefined;",
          "return isOpen ? { status: 'cancelled', callback: 'cancelled' } : undefined;",
        ],
      ],
    },
  },
  {
    name: 'a call that is denied was not made, says its row, whatever an earlier attempt has done',
    test: 'core/conversations/calls/call-state',
    changes: {
      'core/conversations/calls/call-state.ts': [
        ["return or('failed', 'answered');", "return { status: 'failed', callback: 'answered' };"],
      ],
    },
  },
  {
    name: 'copies of rows of a deleted conversation expire',
    test: 'core/conversations/rows',
    changes: {
      'core/conversations/rows/kinds.ts': [["Object.hasOwn(row, name) && name !== 'ttl'", 'Object.hasOwn(row, name)']],
    },
  },
  {
    name: 'the execution of a new run leaves that of the old one running',
    changes: {
      'lambdas/executions.ts': [
        ["if (meta.run!.stop) await stopExecution(client, 'loop', meta.run!.stop, stopCauses.woken);", ''],
      ],
    },
  },
  {
    name: 'the execution of a cancelled run is not stopped',
    changes: {
      'lambdas/executions.ts': [["await stopExecution(client, 'loop', name, stopCauses.cancelled);", 'void name;']],
    },
  },
  {
    name: 'the execution of a new segment starts before that of the stale one is stopped',
    test: 'lambdas/executions',
    changes: {
      'lambdas/executions.ts': [
        [
          "if (meta.run!.stop) await stopExecution(client, 'loop', meta.run!.stop, stopCauses.woken);\n  await start<SegmentInput>(client, 'loop', segment.name, segment.input);",
          "await start<SegmentInput>(client, 'loop', segment.name, segment.input);\n  if (meta.run!.stop) await stopExecution(client, 'loop', meta.run!.stop, stopCauses.woken);",
        ],
      ],
    },
  },
  {
    name: 'a row is read without ConsistentRead',
    changes: { 'core/conversations/store/table.ts': [['Key, ConsistentRead: true', 'Key, ConsistentRead: false']] },
  },
  {
    name: 'rows are queried without ConsistentRead',
    changes: {
      'core/conversations/store/table.ts': [
        ['ConsistentRead: true,\n        ExclusiveStartKey', 'ConsistentRead: false,\n        ExclusiveStartKey'],
      ],
    },
  },
  {
    name: 'the conversations of the sub-agents of a deleted one stay',
    changes: { 'core/conversations/conversation/delete.ts': [['await markChildren(table, conversationId, now);', '']] },
  },
  {
    name: 'a deletion forgets messages that wait for the end of a rollback',
    changes: {
      'core/conversations/conversation/delete.ts': [
        [
          'await dropUnread(table, current)',
          '{ meta: { ...current, pending: [], queued: undefined, scheduled: undefined }, rows: [] }',
        ],
      ],
    },
  },
  {
    name: 'a deletion forgets what the outbox asks for meanwhile',
    test: 'core/conversations/conversation/delete',
    changes: { 'core/conversations/conversation/delete.ts': [[', outbox: meta.outbox ?? null };', ' };']] },
  },
  {
    name: 'a rollback does not wait for a call whose tool another version has',
    test: 'core/machines/rollback/rollback',
    changes: {
      'core/conversations/calls/undoable.ts': [['!isSettled(call.status) && call.attempts > 0 &&', 'false &&']],
    },
  },
  {
    name: 'a rollback that breaks off forgets the calls whose tools another version has',
    test: 'core/machines/rollback/rollback',
    changes: { 'core/machines/rollback/rollback.ts': [['isWithoutTool(tools, call) ||', 'false ||']] },
  },
  {
    name: 'a fork of a step that has just begun loses what the step reads',
    test: 'core/conversations/conversation/overlaps',
    changes: { 'core/conversations/conversation/fork.ts': [['!unread.has(row.seq)', "row.status !== 'pending'"]] },
  },
  {
    name: 'a device gets a notice each time that it is delivered',
    changes: { 'core/people/notices/claim-sending.ts': [["put, onlyIf: 'absent' }", 'put }']] },
  },
  {
    name: 'a notice is recorded before it is sent',
    test: 'core/people/notices/deliver-notice',
    changes: {
      'core/people/notices/deliver-notice.ts': [
        ['const delivery = await send();', 'await recordSent(table, claim);\n  const delivery = await send();'],
      ],
    },
  },
  {
    name: 'a title is paid for again when its process dies',
    changes: { 'core/people/finding/generate-title.ts': [["{ ...current, titledBy: 'model' }", '{ ...current }']] },
  },
  {
    name: 'the title of a model replaces that of the user',
    test: 'core/people/finding/generate-title',
    changes: { 'core/people/finding/generate-title.ts': [["current.titledBy === 'model' && { title", '{ title']] },
  },
  {
    name: 'a memory stays when its call is undone',
    changes: {
      'core/people/memory/memories.ts': [['set: { forgotten: true, ttl: goneAt(now) }', 'set: { ttl: goneAt(now) }']],
    },
  },
  {
    name: 'anyone who sees an approval decides about it',
    changes: {
      'core/conversations/conversation/approve.ts': [
        ["if (callback?.kind === 'approval' && capacity === undefined) throw notYours(callback, now);", ''],
      ],
    },
  },
  {
    name: 'a standing approval is used more often than it allows',
    test: 'core/conversations/approvals/standing',
    changes: {
      'core/conversations/approvals/standing.ts': [['return uses.length <= calls &&', 'return uses.length >= 0 &&']],
    },
  },
  {
    name: 'a call on the authority of a standing approval is not counted',
    changes: { 'core/conversations/runs/commit-step.ts': [['...counted,', '']] },
  },
  {
    name: 'calls beside each other use one share of a standing approval',
    test: 'core/conversations/approvals/standing',
    changes: {
      'core/conversations/approvals/standing.ts': [
        ['onlyIf: { version, revokedAt: null },', 'onlyIf: { revokedAt: null },'],
      ],
    },
  },
  {
    name: 'a standing approval is used after words from outside',
    test: 'core/conversations/approvals/standing',
    changes: {
      'core/conversations/calls/approval.ts': [['!why && !guardAsks && !sources?.length &&', '!why && !guardAsks &&']],
    },
  },
  {
    name: 'a decision in somebody’s place is made after the absence has ended',
    changes: {
      'core/conversations/conversation/approve.ts': [['standIn ? [usesStandIn(caller.user, standIn, now)] : []', '[]']],
    },
  },
  {
    name: 'a stand-in decides again in the place of who has decided',
    changes: { 'core/conversations/approvals/steps.ts': [['by === user || inPlaceOf === user', 'by === user']] },
  },
  {
    name: 'somebody stands in after the time of the absence',
    changes: {
      'core/conversations/approvals/absence.ts': [['from <= at && at < until', 'from <= at && until !== at']],
    },
  },
  {
    name: 'a stand-in denies what they have approved after the absence has ended',
    changes: {
      'core/conversations/approvals/right.ts': [
        [
          "return still ? { capacity: own, standIn: still } : { capacity: 'another time' };",
          'return { capacity: own };',
        ],
      ],
    },
  },
  {
    name: 'one person approves for two',
    changes: {
      'core/conversations/conversation/approve.ts': [
        ['if (verdict.approved && hasDecided(callback, caller.user)) return { answer: { meta } };', ''],
      ],
    },
  },
  {
    name: 'others decide before an approval has escalated',
    changes: {
      'core/conversations/approvals/steps.ts': [
        ["(escalatesAt(callback) ?? '~') <= now.toISOString()", 'step.escalation !== undefined'],
      ],
    },
  },
  {
    name: 'the last of several approvers is not asked',
    changes: {
      'core/conversations/approvals/steps.ts': [
        ['isComplete: next === undefined,', 'isComplete: next === undefined || next === stepsOf(decided).at(-1),'],
      ],
    },
  },
  {
    name: 'a message that is sent twice is stored twice',
    changes: {
      'core/conversations/runs/once.ts': [["  onlyIf: 'absent',\n", '']],
    },
  },
  {
    name: 'two processes claim the sending of one notice',
    test: 'core/people/notices',
    changes: {
      'core/people/notices/claim-sending.ts': [["[{ ...key, put, onlyIf: 'absent' }]", '[{ ...key, put }]']],
    },
  },
  {
    name: 'META has long metadata',
    test: 'core/conversations/conversation/sizes',
    changes: {
      'core/conversations/rows/meta.ts': [['const givenBytesInMeta = 1_000;', 'const givenBytesInMeta = 1e9;']],
    },
  },
  {
    name: 'an id is free although versions of its conversation are left',
    test: 'core/conversations/conversation/delete',
    changes: {
      'core/conversations/runs/conversation.ts': [['if (versions.length === 0 ||', 'if (versions.length >= 0 ||']],
    },
  },
  {
    name: 'Relay resumes nothing',
    changes: {
      'lambdas/executions.ts': [
        [
          '  await resume(client, table, conversationId, { id, taskTokens: t',
          '  if (!taskTokens) await resume(client, table, conversationId, { id, taskTokens: t',
        ],
      ],
    },
  },
  {
    name: 'Relay drops the tokens of an answer, and marks them as sent',
    changes: { 'lambdas/executions.ts': [['taskTokens: taskTokens ?? [],', 'taskTokens: [],']] },
  },
  {
    name: 'Relay sends the first of two tokens only',
    changes: {
      'lambdas/executions.ts': [['taskTokens: taskTokens ?? [],', 'taskTokens: (taskTokens ?? []).slice(0, 1),']],
    },
  },
  {
    name: 'a token whose sending was throttled is marked as sent',
    changes: {
      'lambdas/executions.ts': [
        ["const over = ['TaskTimedOut', ", "const over = ['ThrottlingException', 'TaskTimedOut', "],
      ],
    },
  },
  {
    name: 'a callback is closed without the tokens that resume its execution',
    changes: { 'core/conversations/calls/callback.ts': [["...(resumes ? [] : ['taskTokens'])", "'taskTokens'"]] },
  },
  {
    name: 'a callback is closed although a token was stored meanwhile',
    changes: {
      'core/conversations/calls/callback.ts': [
        ["onlyIf: resumes ? { version } : { status: 'pending' }", "onlyIf: { status: 'pending' }"],
      ],
    },
  },
  {
    name: 'Ask keeps the token of what has its outcome',
    changes: {
      'core/conversations/calls/callback.ts': [
        ['if (!callback || !isOpen(callback, now)) return false;', 'if (!callback) return false;'],
      ],
    },
  },
  {
    name: 'Relay leaves the token of a delegation to the process that reports its end',
    changes: {
      'lambdas/executions.ts': [
        [
          "if (outbox !== 'answer') return;",
          "if (outbox !== 'answer' || (kind === 'agent' && status === 'answered')) return;",
        ],
      ],
    },
  },
  {
    name: 'an approval is withdrawn, and its execution waits for its end',
    changes: {
      'core/conversations/calls/close.ts': [
        ["'cancel', { ...change, resumes: true }", "'cancel', { ...change, resumes: false }"],
      ],
    },
  },
  {
    name: 'the execution of a cancelled timer is not stopped',
    changes: {
      'lambdas/executions.ts': [["await stopExecution(client, 'timer', name, stopCauses.timer);", 'void stopCauses;']],
    },
  },
  {
    name: 'the execution of a timer that is resumed or changed is not started',
    changes: {
      'core/conversations/timers/change-timer.ts': [
        [
          "...inSegment(timer.segment + 1, now, 'restart'),",
          "...inSegment(timer.segment + 1, now, 'restart'), outbox: undefined,",
        ],
      ],
    },
  },
  {
    name: 'the execution before a timer was changed goes on sleeping',
    changes: { 'lambdas/executions.ts': [["if (outbox === 'restart')", "if (outbox === 'stop')"]] },
  },
  {
    name: 'a paused timer is cancelled when its execution ends',
    test: 'core/machines/timers/fire-timer',
    changes: {
      'core/conversations/timers/change-timer.ts': [
        ["timer.segment === segment && timer.status === 'active'", 'timer.segment === segment'],
      ],
    },
  },
  {
    name: 'a timer that is run by hand runs again when the request is repeated',
    test: 'core/machines/timers/fire-timer',
    changes: {
      'core/machines/timers/fire-timer.ts': [
        ['      once,\n      text: `🔁 Run by hand', '      text: `🔁 Run by hand'],
      ],
    },
  },
  {
    name: 'what the code declares is applied twice',
    test: 'core/conversations/timers/declared-schedules',
    changes: {
      'core/conversations/timers/declared-schedules.ts': [
        ["onlyIf: before ? { version: before.version } : 'absent',", ''],
        [
          'conversationFor({ agent, schedule, user }, before);\n  const row',
          "`s_${Math.random()}`.replace('0.', '');\n  const row",
        ],
      ],
    },
  },
  {
    name: 'a sub-agent goes on when the run that asked for its help is cancelled',
    changes: {
      'core/conversations/conversation/children.ts': [
        [
          'if (!(await readShownMeta(table, conversationId))) return undefined;\n  const cancel',
          'if (conversationId) return undefined;\n  const cancel',
        ],
      ],
    },
  },
  {
    name: 'a reply is shown while it comes, before its guards have checked it',
    changes: {
      'core/machines/loop/make-step.ts': [
        ["guardsAt(agent, 'output').length === 0", "guardsAt(agent, 'output').length >= 0"],
      ],
    },
  },
  {
    name: 'what a guard has replaced is read as it was in the next request',
    changes: {
      'core/conversations/runs/log.ts': [
        ['messageAsHeard(parsedAs(StoredMessage, row))', 'parsedAs(StoredMessage, row)'],
      ],
    },
  },
  {
    name: 'an attempt that has been replaced stores verdicts, and the model reads the message',
    test: 'core/machines/loop/guarded',
    changes: {
      'core/machines/loop/guarded.ts': [['set: {}, onlyIf: { writer } }', 'set: {}, onlyIf: { seq } }']],
    },
  },
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
