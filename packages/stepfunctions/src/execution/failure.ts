import { bounded, errorNames, type Failure, StateFailure } from '../language/errors';
import type { Branch } from './execution';
import { HistoryFull } from './transition';

/** "Maximum input or output size for a task, state, or execution": 256 KiB of UTF-8 text. */
export const dataLimit = 262_144;

export const tooLarge = (what: string) =>
  new StateFailure(
    errorNames.dataLimitExceeded,
    `The state/task '${what}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    { bare: true },
  );

/** Turns what a state threw into its failure; what is no failure of a state is a defect of the engine and is thrown on. */
export function failureOf(branch: Branch, error: unknown): Failure {
  if (!(error instanceof StateFailure) || error instanceof HistoryFull) throw error;
  const { location, evaluation, bare } = error.options;
  const where = `An error occurred while executing the state '${branch.state.name}' (entered at the event id #${branch.entered}). `;
  return bounded({ error: error.error, cause: (bare ? '' : where) + error.detail, location, evaluation });
}
