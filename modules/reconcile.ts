import type { ReconcileModule } from '../lambdas/reconcile/module';
import { inReconcile as schedules } from './schedules/reconcile';

/** What Reconcile has of the modules of this deployment. The bundler replaces this list with those that the app lists. */
export const modules: readonly ReconcileModule[] = [schedules];
