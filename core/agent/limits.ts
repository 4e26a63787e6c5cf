import type { Usage } from '../state/schemas';
import type { StoredRun } from '../store/rows';
import type { Agent, Limits } from './agent';
import type { AboutModel } from './model';

/** What a deployment sets over, or beside, what its agents say. */
export interface DeploymentLimits {
  /** Instead of the agents' own. */
  steps?: number;
  tokens?: number;
  costMicrodollars?: number;
  /** Of all runs of a user in a calendar month (UTC). */
  user?: Spending;
}

/** What is counted against a user's limits. */
export interface Spending {
  steps?: number;
  tokens?: number;
  costMicrodollars?: number;
}

/** Why a run may not call the model again for want of budget, in words that say what to do; undefined when it may. */
export function exhausted(run: StoredRun, agent: Agent, deployment: DeploymentLimits, spent: Spending, now: Date) {
  const limits: Limits = { ...agent.limits, ...defined(deployment) };
  const { usage } = run;
  const seconds = Math.floor((now.getTime() - Date.parse(run.startedAt)) / 1_000);
  return (
    over('tokens of this run', tokensOf(usage), limits.tokens) ??
    over('microdollars of this run', usage.costMicrodollars, limits.costMicrodollars) ??
    over('seconds of this run', seconds, limits.seconds) ??
    over('steps of this user this month', spent.steps ?? 0, deployment.user?.steps) ??
    over('tokens of this user this month', spent.tokens ?? 0, deployment.user?.tokens) ??
    over('microdollars of this user this month', spent.costMicrodollars ?? 0, deployment.user?.costMicrodollars)
  );
}

/** Why no limit of money could hold: what the model costs is not known, and would be counted as nothing. */
export function unpriced(agent: Agent, deployment: DeploymentLimits, { model, price }: AboutModel) {
  const limits = [agent.limits, deployment, deployment.user ?? {}];
  if (price || limits.every(({ costMicrodollars }) => costMicrodollars === undefined)) return undefined;
  return `budget unknown: there is a limit of money, and no price for the model "${model}". Set it by VIGIL_PRICES and retry.`;
}

function over(what: string, used: number, limit: number | undefined): string | undefined {
  if (limit === undefined || used < limit) return undefined;
  return `budget exhausted: ${used} of ${limit} ${what} are used. Raise the limit and retry.`;
}

export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

const defined = ({ tokens, costMicrodollars }: DeploymentLimits): Partial<Limits> => ({
  ...(tokens !== undefined && { tokens }),
  ...(costMicrodollars !== undefined && { costMicrodollars }),
});
