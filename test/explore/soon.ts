import type { Meta } from '../../core/conversations/rows/meta';
import type { DueTodo } from '../../core/conversations/rows/todo';
import type { MemoryTable, Row } from './memory-table';
import type { StepFunctions } from './step-functions';

/**
 * What follows soon, held whenever all rests: no process is at work or down, each record of the stream has been acted on, and only a time
 * that comes can bring something. Reconcile, or the end of a wait, repairs later what is broken here, so that the end does not show it.
 *
 * Where a record of the stream was lost, Reconcile is who acts, and nothing is promised before it does.
 */
export class Soon {
  /** Each promise that was broken, in words. */
  readonly broken = new Set<string>();
  /** The rows of which a stream record has never come. */
  private readonly lost = new Set<string>();
  private readonly withdrawn = new Map<string, Row>();

  constructor(
    private readonly table: MemoryTable,
    private readonly machines: StepFunctions,
  ) {}

  /** Takes note of what is written. */
  note(row: Row): void {
    if (row.kind === 'agent' && row.status === 'cancelled') this.withdrawn.set(placeOf(row), row);
  }

  /** Takes note of a record of the stream that is lost: of what it says is to be done, nothing is promised. */
  noteLoss(row: Row): void {
    if (!Array.isArray(row.todos)) return;
    for (const { conversationId, todo } of row.todos as DueTodo[]) {
      const of = (sk: string) => this.lost.add(placeOf({ pk: `C#${conversationId}`, sk }));
      if ('callbackId' in todo) of(`CALLBACK#${todo.callbackId}`);
      else if (todo.does === 'wait') of(`TIMER#${todo.timerId}`);
      else if (todo.does === 'stop' && todo.machine === 'timer') of(`TIMER#${todo.execution.replace(/-\d+$/, '')}`);
      else of('META');
    }
  }

  /** Takes note that nothing runs any more, and that no record of what was written comes. */
  noteRestore(rows: readonly Row[]): void {
    for (const row of rows) this.lost.add(placeOf(row));
  }

  hold(): void {
    for (const waiting of this.machines.awaited()) this.holdAnswer(waiting);
    for (const execution of this.machines.active()) this.holdEnd(execution);
    for (const callback of this.withdrawn.values()) this.holdWithdrawal(callback);
  }

  /**
   * Who waits for an answer, a decision, a delivery or a sub-agent has got its token once that is there: what they waited for is pending,
   * or they wait no more. The same holds for what was withdrawn, and for a run that was cancelled.
   */
  private holdAnswer({ name, conversationId, callId }: ReturnType<StepFunctions['awaited']>[number]): void {
    const callback = this.row(conversationId, `CALLBACK#${callId}`);
    if (callback === 'lost') return;
    // What a cancelled run, or one of a deleted conversation, waited for resumes nothing: its execution is stopped, by Reconcile.
    if (this.row(conversationId, 'META') === 'lost') return;
    if (callback?.status !== 'pending')
      this.broken.add(`${name} still waits for ${callId}, which is ${String(callback?.status)}.`);
    else if (callback.kind === 'agent') {
      const helper = this.row(String(callback.conversationId), 'META');
      if (helper && helper !== 'lost' && (helper as unknown as Meta).parent?.outcome)
        this.broken.add(`${name} still waits for ${callId}, whose sub-agent has ended.`);
    }
  }

  /** The execution of a wait that is cancelled, or that a message has ended, is stopped. So is that of a timer. */
  private holdEnd({ name, machine, input, repeats }: ReturnType<StepFunctions['active']>[number]): void {
    // One that is to try its last state again finds out then that it is over.
    if (repeats || (machine !== 'loop' && machine !== 'timer')) return;
    const { conversationId, timerId, runId, segment } = JSON.parse(input) as Record<string, string>;
    const row = this.row(conversationId!, machine === 'timer' ? `TIMER#${timerId}` : 'META');
    if (row === 'lost') return;
    // A person has ended the run while it waited: it is resumed like any other, and ends at once.
    const waited = this.machines.awaited().find((one) => one.name === name);
    if (waited && this.row(conversationId!, `CALLBACK#${waited.callId}`) === 'lost') return;
    const { id, status, segment: its } = ((machine === 'timer' ? row : row?.run) ?? {}) as Partial<Row>;
    const isActive = ['active', 'running', 'sleeping', 'waiting'].includes(String(status));
    if (!isActive || id !== (timerId ?? runId) || its !== segment)
      this.broken.add(`${name} still runs, and ${String(id)} is ${String(status)} in segment ${String(its)}.`);
  }

  /** What a cancelled run has delegated is cancelled. Later runs of the sub-agent's conversation are its user's. */
  private holdWithdrawal({ pk, sk, id, conversationId }: Row): void {
    const helper = this.row(String(conversationId), 'META');
    if (!helper || helper === 'lost' || this.lost.has(placeOf({ pk, sk }))) return;
    const { id: runId, status } = (helper.run ?? {}) as Partial<Row>;
    // A member undoes nothing: what the sub-agent had done by then stays.
    const stopped = this.table.row({ pk, sk: 'META' })?.run as Partial<Row> | undefined;
    if (stopped?.stoppedBy !== undefined && status === 'done') this.withdrawn.delete(placeOf({ pk, sk }));
    else if (helper.owner && String(runId).startsWith('r_000001_') && !/^cancel/.test(String(status)))
      this.broken.add(`${String(id)} is cancelled, and its sub-agent's run is ${String(status)}.`);
  }

  private row(conversationId: string, sk: string): Row | undefined | 'lost' {
    const key = { pk: `C#${conversationId}`, sk };
    return this.lost.has(placeOf(key)) ? 'lost' : this.table.row(key);
  }
}

const placeOf = ({ pk, sk }: Pick<Row, 'pk' | 'sk'>): string => `${pk} ${sk}`;
