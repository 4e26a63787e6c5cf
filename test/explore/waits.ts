import type { Meta } from '../../core/conversations/rows/meta';
import type { Row } from './memory-table';
import type { Broken } from './promises';
import type { World } from './world';

const numberOf = (runId: string): number => Number(/^r_(\d+)_/.exec(runId)?.[1]);

/** What others do for a run that has failed. */
const kept = ['webhook', 'agent'];
/** What is asked, or made, for a run alone. */
const ofRun = ['approval', 'question', 'person', 'task', 'model'];

/** What runs wait for: what others do for a failed run continues, and nobody is asked for a run that is over. */
export class Waits {
  readonly broken: Broken[] = [];
  /** The runs that were cancelled, with those that they had replaced. */
  private readonly cancelled = new Set<string>();

  /** The calls whose results came when their runs had been replaced. */
  private readonly late: { pk: string; callId: string }[] = [];

  constructor(private readonly world: World) {}

  /** Takes note of what is written: META and its run say the same. META comes before the other rows of its transaction. */
  note(row: Row, before: Row | undefined): void {
    const { pk, sk, copiedFrom, kind, status, runId, callId } = row;
    if (sk === 'META') {
      const { run, forking } = row as unknown as Partial<Meta> & { forking?: string };
      if (run && run.status !== status && !forking)
        this.broken.push(`${pk} is ${String(status)}, and its run is ${run.status}.`);
      if (run?.status !== 'cancelled' && run?.status !== 'cancelling') return;
      for (let number = run.undoFrom ?? numberOf(run.id); number <= numberOf(run.id); number++)
        this.cancelled.add(`${pk} ${number}`);
    } else if (!sk.startsWith('CALLBACK#') || copiedFrom || before?.status !== 'pending') return;
    else if (status === 'answered' && kept.includes(String(kind))) {
      const { run, owner } = (this.world.table.row({ pk, sk: 'META' }) ?? {}) as Partial<Meta>;
      if (owner && run?.id !== runId) this.late.push({ pk, callId: String(callId) });
    } else if (status === 'cancelled') {
      const isOver = this.cancelled.has(`${pk} ${numberOf(String(runId))}`);
      this.world.count(`withdrawn: ${String(kind)}`);
      const { run } = (this.world.table.row({ pk, sk: 'META' }) ?? {}) as Partial<Meta>;
      if (run?.draft?.pending && sk === `CALLBACK#${run.draft.pending.callbackId}`)
        this.broken.push(`The reply ${sk} is cancelled, and its step still waits for it.`);
      if (kept.includes(String(kind)) && !isOver)
        this.broken.push(`The ${String(kind)} ${sk} is cancelled, and its run was not.`);
    }
  }

  /** Holds the rows against each other, when all is at rest. */
  held(rows: readonly Row[]): Broken[] {
    const metas = new Map(
      rows.flatMap((row) => (row.sk === 'META' ? [[row.pk, row as unknown as Meta] as const] : [])),
    );
    const open = rows.filter(({ pk, sk, status, kind, copiedFrom }) => {
      const meta = metas.get(pk);
      const isAsked = sk.startsWith('CALLBACK#') && status === 'pending' && !copiedFrom && ofRun.includes(String(kind));
      return isAsked && meta?.owner && (meta.run?.status === 'done' || meta.run?.status === 'cancelled');
    });
    const unheard = this.late.filter(
      ({ pk, callId }) => !rows.some((row) => row.pk === pk && row.sk.startsWith('M#') && row.about === callId),
    );
    return [
      ...this.broken,
      ...unheard.map(
        ({ pk, callId }) => `The result of ${callId} came late, and the run in its place in ${pk} never hears of it.`,
      ),
      ...open.map(({ pk, sk, kind }) => `The ${String(kind)} ${sk} of ${pk} is open, and its run is over.`),
    ];
  }
}
