import {
  type Counts,
  countLimits,
  defaultDay,
  defaultSubAgentsOfRun,
  fileLimits,
  spendingVariables,
} from '../core/base/state/user-limits';
import type { DeploymentLimits, Spending } from '../core/conversations/agent/limits';
import type { FileLimits } from '../core/conversations/files/upload';
import { optionalCount } from './environment';

/** Reads the deployment's limits from its environment variables, or from those of a function that is to be deployed. */
export function limits(env?: NodeJS.ProcessEnv): DeploymentLimits {
  const day = spending('day', env);
  const month = spending('month', env);
  return {
    steps: optionalCount('VIGIL_MAX_STEPS', env),
    tokens: optionalCount('VIGIL_MAX_RUN_TOKENS', env),
    costMicrodollars: optionalCount('VIGIL_MAX_RUN_MICRODOLLARS', env),
    month: Object.keys(month).length > 0 ? month : undefined,
    day: { ...defaultDay, ...day },
    isDayCostDefault: day.costMicrodollars === undefined,
    subAgentsOfRun: optionalCount(defaultSubAgentsOfRun.variable, env) ?? defaultSubAgentsOfRun.most,
    counts: counts(env),
  };
}

/** Reads how much a user may have at once. */
export function counts(env?: NodeJS.ProcessEnv): Counts {
  const read = Object.entries(countLimits).map(([what, { variable, most }]) => [
    what,
    optionalCount(variable, env) ?? most,
  ]);
  return Object.fromEntries(read) as Counts;
}

/** Reads how many bytes of files a user may have. */
export function bytesOfFiles(): FileLimits {
  const read = ([what, { variable, most }]: [string, { variable: string; most: number }]) => [
    what,
    optionalCount(variable) ?? most,
  ];
  return Object.fromEntries(Object.entries(fileLimits).map(read)) as FileLimits;
}

function spending(period: keyof typeof spendingVariables, env?: NodeJS.ProcessEnv): Spending {
  const set = Object.entries(spendingVariables[period]).map(
    ([what, name]) => [what, optionalCount(name, env)] as const,
  );
  return Object.fromEntries(set.filter(([, limit]) => limit !== undefined));
}
