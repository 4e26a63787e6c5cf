import type { Action, Reconciling } from './reconcile-row';

/** What a sweep of Reconcile did, and what it could not check, by the error's name. */
export interface Swept {
  actions: Action[];
  failed: { id: string; error: string }[];
}

/** What Reconcile loads of a module (`core/module.ts`): the file `reconcile.ts` of its folder exports it as `inReconcile`. */
export interface ReconcileModule {
  name: string;
  /**
   * Compares what the code declares with the table, after the sweep of the rows, because it runs code of authors. What fails, or is left when
   * its time is over, is left to the next sweep. It may run twice, and at the same time.
   *
   * @param swept gets what was done, and what failed.
   */
  declare(context: Reconciling, swept: Swept, isTimeLeft: () => boolean): Promise<void>;
}
