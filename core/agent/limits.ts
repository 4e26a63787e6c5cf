import type { Usage } from '../state/schemas';
import type { StoredRun } from '../store/rows';
import type { Agent, Limits } from './agent';
import type { AboutModel } from './model';

/** Limits of a deployment, for each run and for each user. */
export interface DeploymentLimits {
  /** Replaces the agents' own limits, as do `tokens` and `costMicrodollars`. */
  steps?: number;
  tokens?: number;
  costMicrodollars?: number;
  /** For all runs of a user in a calendar month (UTC). */
  user?: Spending;
}

/** What a user has spent, or may spend. */
export interface Spending {
  steps?: number;
  tokens?: number;
  costMicrodollars?: number;
}

/** Returns which limit a run has reached and what to do; undefined if it may call the model. */
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

/** Returns why a cost limit cannot be enforced: the model has no price, so its cost would count as zero. */
export function unpriced(agent: Agent, deployment: DeploymentLimits, { model, price }: AboutModel) {
  const limits = [agent.limits, deployment, deployment.user ?? {}];
  if (price || limits.every(({ costMicrodollars }) => costMicrodollars === undefined)) return undefined;
  return `budget unknown: there is a cost limit, but no price for the model "${model}". Set the price in VIGIL_PRICES and retry.`;
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
