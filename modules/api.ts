import type { ApiModule } from '../lambdas/api/module';
import { inApi as feedback } from './feedback/api';
import { inApi as notices } from './notices/api';

/** What Api has of the modules of this deployment. The bundler replaces this list with those that the app lists. */
export const modules: readonly ApiModule[] = [feedback, notices];
