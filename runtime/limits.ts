import {
  type Counts,
  countLimits,
  defaultDay,
  sharedPercent,
  spendingVariables,
  subAgentsOfRun,
} from '../core/base/state/user-limits';
import type { DeploymentLimits, Spending } from '../core/conversations/agent/limits';
import { optionalCount } from './environment';

/** Reads the deployment's limits from its environment variables, or from those of a function that is to be deployed. */
export function limits(env?: NodeJS.ProcessEnv): DeploymentLimits {
  const day = spending('day', env);
  const month = spending('month', env);
  return {
    steps: optionalCount('VIGIL_MAX_STEPS', env),
    costMicrodollars: optionalCount('VIGIL_MAX_RUN_MICRODOLLARS', env),
    month: Object.keys(month).length > 0 ? month : undefined,
    day: { ...defaultDay, ...day },
    sharedPercent: Math.min(100, optionalCount(sharedPercent.variable, env) ?? sharedPercent.most),
    subAgentsOfRun,
    counts: counts(env),
  };
}

/** Reads how much a user may have at once. */
export function counts(env?: NodeJS.ProcessEnv): Counts {
  const read = Object.entries(countLimits).map(([what, { variable, most }]) => [
    what,
    (variable === undefined ? undefined : optionalCount(variable, env)) ?? most,
  ]);
  return Object.fromEntries(read) as Counts;
}

function spending(period: keyof typeof spendingVariables, env?: NodeJS.ProcessEnv): Spending {
  const set = Object.entries(spendingVariables[period]).map(
    ([what, name]) => [what, optionalCount(name, env)] as const,
  );
  return Object.fromEntries(set.filter(([, limit]) => limit !== undefined));
}
