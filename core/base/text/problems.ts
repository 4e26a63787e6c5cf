import type { ZodError } from 'zod';

/** Lists what does not fit a schema, field by field. `whole` names the value itself, for problems without a field. */
export const problemsIn = (error: ZodError, whole: string): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`).join('; ');
