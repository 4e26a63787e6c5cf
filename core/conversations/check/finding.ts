import type { DeploymentLimits } from '../agent/limits';
import type { Registry } from '../agent/registry';

/** The code of a deployment, as far as stored rows refer to it. */
export interface NewCode extends Registry {
  limits: DeploymentLimits;
  /** The modules that the app lists. */
  modules: readonly string[];
}

/** What becomes of a stored row with the new code. It has names of the code, ids and fields, and no person's words. */
export interface Finding {
  /** `breaks`: something that is stored fails, or is lost. `changes`: it goes another way. */
  verdict: 'breaks' | 'changes';
  kind: string;
  /** Absent for a row that is in no conversation. */
  conversationId?: string;
  /** The id of the call, the callback, the timer, the run or the standing approval. */
  id?: string;
  field: string;
  happens: string;
  todo: string;
}

/** What the check of a kind says of a row. */
export type Said = Omit<Finding, 'kind' | 'conversationId'> & { conversationId?: string };
