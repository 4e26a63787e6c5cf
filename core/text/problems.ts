import type { ZodError } from 'zod';

/** What does not fit a schema, field by field; `whole` names the value itself, for a problem that is no field's. */
export const problemsIn = (error: ZodError, whole: string): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`).join('; ');
