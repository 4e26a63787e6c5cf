import { testWith } from './test/explore/defects';
const U='onlyIf: undefined as never';
const list: [string,string,string,string,string?][] = [
 ['abs1','core/conversations/approvals/absence.ts',"onlyIf: before ? { version: before.version } : 'absent'",U,'core/conversations/approvals'],
 ['abs2','core/conversations/approvals/absence.ts',"onlyIf: { user } }",U+' }','core/conversations/approvals'],
 ['abs3','core/conversations/approvals/absence.ts',"onlyIf: { version, grantedAt, endedAt: null }",U,'core/conversations/approvals'],
 ['link1','core/conversations/members/links.ts',"set: { revokedAt: now.toISOString() }, onlyIf: { version } }","set: { revokedAt: now.toISOString() }, "+U+' }','core/conversations/members'],
 ['link2','core/conversations/members/links.ts',"set: { uses: uses + 1 }, onlyIf: { version } }","set: { uses: uses + 1 }, "+U+' }','core/conversations/members'],
 ['feed','core/conversations/members/feedback.ts',"onlyIf: { version }",U,'core/conversations/members'],
 ['del','core/conversations/conversation/delete.ts',"      onlyIf,\n",'','core/conversations/conversation/delete'],
 ['trust','core/conversations/conversation/trust.ts',"onlyIf: { version } }",U+' }','core/conversations/conversation/trust'],
 ['fork','core/conversations/conversation/fork.ts',"set: {}, onlyIf: { membersVersion }","set: {}, "+U,'core/conversations/(conversation|members)'],
 ['drop','core/conversations/store/table.ts',"onlyIf: { outbox: 'stop' }",U,'core/conversations/(store|runs|conversation)'],
 ['task','core/conversations/calls/task.ts',"set: { lookAt }, onlyIf: { status: 'pending' }","set: { lookAt }, "+U,'core/conversations/calls/task'],
 ['sched','core/conversations/timers/declared-schedules.ts',"onlyIf: before ? { version: before.version } : 'absent'",U,'core/conversations/timers'],
 ['sched2','core/conversations/timers/declared-schedules.ts',"onlyIf: { version: before.version },",U+',','core/conversations/timers'],
 ['ct','core/conversations/timers/change-timer.ts',"onlyIf: { version: before.version }",U,'core/conversations/timers'],
 ['late','core/conversations/calls/settle.ts',"ttl: call.ttl ?? null, lateEffect: null }","ttl: call.ttl ?? null }",'core/conversations/calls'],
 ['claims1','core/people/notices/claim-sending.ts',"onlyIf: { state: 'sending', version } }])))",U+" }])))",'core/people/notices'],
 ['claims2','core/people/notices/claim-sending.ts',"set: { state: 'sent' }, onlyIf: { state: 'sending' }","set: { state: 'sent' }, "+U,'core/people/notices'],
 ['reach','core/people/notices/reach.ts',"onlyIf = row ? (version > 0 ? { version } : undefined) : 'absent'","onlyIf = undefined as never",'core/people/notices'],
 ['mem','core/people/memory/memories.ts',"onlyIf: { id }",U,'core/people/memory'],
 ['mark','core/people/presence/read-marks.ts',"onlyIf = before ? { version: before.version } : ('absent' as const)","onlyIf = undefined as never",'core/people/presence'],
 ['file','core/conversations/files/stored-file.ts',"onlyIf: { version } }",U+' }','core/conversations/files'],
 ['upl','core/conversations/files/upload.ts',"onlyIf = before ? { version: before.version } : ('absent' as const)","onlyIf = undefined as never",'core/conversations/files'],
 ['spend','core/conversations/runs/spending.ts',"set: { usage }, remove: ['reserved'], onlyIf: { status: 'cancelled', reserved }","set: { usage }, remove: ['reserved'], "+U,'core/conversations/runs/spending'],
 ['spend2','core/conversations/runs/spending.ts',"set: { usage }, onlyIf: { status: 'cancelled' }","set: { usage }, "+U,'core/conversations/runs/spending'],
 ['pend','core/conversations/replies/pending-reply.ts',"onlyIf: { counted: null }",U,'core/conversations/replies'],
 ['undo1','core/machines/rollback/undo-tool.ts',"onlyIf: { status: call.status }",U,'core/machines/rollback'],
 ['undo2','core/machines/rollback/rollback.ts',"[{ sk: key.call(call.id), set, onlyIf: { status: call.status } }]","[{ sk: key.call(call.id), set, "+U+" }]",'core/machines/rollback'],
 ['undo3','core/machines/rollback/rollback.ts',"onlyIf: { status: ['completed', 'unknown'] }",U,'core/machines/rollback'],
 ['renew','core/machines/reconcile/renew-timer.ts',"onlyIf: { version } }",U+' }','core/machines/reconcile'],
 ['renewr','core/machines/reconcile/renew-run.ts',"onlyIf: { version } }",U+' }','core/machines/reconcile'],
 ['vec1','core/conversations/embeddings/message-index.ts',"onlyIf: { version: before.version } }",U+' }','core/conversations/embeddings'],
 ['vec2','core/conversations/embeddings/message-index.ts',"onlyIf: before ? { version: before.version } : 'absent'",U,'core/conversations/embeddings'],
 ['step','core/machines/loop/make-step.ts',"set, onlyIf: { writer: draft.writer }","set, "+U,'core/machines/loop/make-step'],
];
(async()=>{
 for (const [name,file,from,to,test] of list){
  try { const {broken}=await testWith({name,changes:{[file]:[[from,to]]}} as never,test!); console.log(broken?'found   ':'SURVIVED',name,file,broken?.slice(0,90)??''); }
  catch(e){ console.log('ERROR',name,(e as Error).message.slice(0,150)); }
 }
})();
