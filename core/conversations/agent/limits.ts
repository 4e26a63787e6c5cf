import type { Usage } from '../../base/state/schemas';
import { type Counts, sharedPercent, variableOfSpending } from '../../base/state/user-limits';
import type { StoredRun } from '../rows/meta';
import type { Agent, Limits } from './agent';

/** Limits of a deployment, for each run and for each user. */
export interface DeploymentLimits {
  /** Replaces the agents' own limit, as does `costMicrodollars`. */
  steps?: number;
  costMicrodollars?: number;
  /** For all runs of a user in a calendar month, and in a day (UTC). */
  month?: Spending;
  day?: Spending;
  /** The part of both, in percent, after which runs of shared conversations stop. All by default. */
  sharedPercent?: number;
  /** Whether they are those of a shared conversation. */
  isShared?: boolean;
  /** Sub-agents that one run may ask for. */
  subAgentsOfRun?: number;
  /** The most that a user may have at once. */
  counts?: Partial<Counts>;
}

/** The amounts that a user has spent, or may spend. */
export interface Spending {
  steps?: number;
  tokens?: number;
  costMicrodollars?: number;
}

/** The spending of a user in the current month and day. */
export type Spent = Record<'month' | 'day', Required<Spending>>;

export const isUserLimited = ({ month, day }: DeploymentLimits): boolean => month !== undefined || day !== undefined;

/** Returns which limit a run has reached and what to do; undefined if it may call the model. */
export function exhausted(run: StoredRun, agent: Agent, deployment: DeploymentLimits, now: Date) {
  const limits: Limits = { ...agent.limits, ...defined(deployment) };
  const { usage } = run;
  const seconds = Math.floor((now.getTime() - Date.parse(run.startedAt)) / 1_000);
  return (
    over('tokens of this run', tokensOf(usage), limits.tokens) ??
    over('microdollars of this run', usage.costMicrodollars, limits.costMicrodollars, guessed(usage)) ??
    over('seconds of this run', seconds, limits.seconds)
  );
}

/**
 * Returns the limits for a run of a conversation that its user shares: whatever its members let the agent do, the rest of the user's day and
 * month is for the conversations that are the user's alone.
 */
export function limitsOfShared({
  month,
  day,
  sharedPercent: percent = 100,
  ...limits
}: DeploymentLimits): DeploymentLimits {
  const part = (spending: Spending | undefined): Spending | undefined =>
    spending &&
    Object.fromEntries(
      Object.entries(spending).map(([what, most]) => [what, most && Math.ceil((most * percent) / 100)]),
    );
  return { ...limits, month: part(month), day: part(day), isShared: percent < 100 };
}

/**
 * Returns which limit of the user the next step would pass, and what to do; undefined if it may be made.
 *
 * @param next an estimate of what the step will use.
 */
export function exhaustedByUser(
  { month, day, isShared }: DeploymentLimits,
  spent: Spent & Pick<Usage, 'unpricedCalls'>,
  next: Required<Spending>,
) {
  const limits = { month, day };
  for (const period of ['month', 'day'] as const)
    for (const what of ['steps', 'tokens', 'costMicrodollars'] as const) {
      const limit = limits[period]?.[what];
      const used = spent[period][what];
      if (limit === undefined || used + next[what] <= limit) continue;
      const unit = what === 'costMicrodollars' ? 'microdollars' : what;
      const more = used < limit ? ` The next model call may use ${next[what]} more.` : '';
      const wait = period === 'day' ? 'Wait until tomorrow (UTC)' : 'Wait until next month';
      const raise = `raise ${isShared ? sharedPercent.variable : (variableOfSpending(period, what) ?? 'the limit')}`;
      const part = isShared ? ' that are for shared conversations' : '';
      const whose = period === 'day' ? 'today' : 'this month';
      const why = what === 'costMicrodollars' ? guessed(spent) : '';
      return `budget exhausted: ${used} of ${limit} ${unit} of this user ${whose}${part} are used.${more}${why} ${wait} or ${raise}, and retry.`;
    }
  return undefined;
}

function over(what: string, used: number, limit: number | undefined, why = ''): string | undefined {
  if (limit === undefined || used < limit) return undefined;
  return `budget exhausted: ${used} of ${limit} ${what} are used.${why} Raise the limit and retry.`;
}

const guessed = ({ unpricedCalls = 0 }: Pick<Usage, 'unpricedCalls'>): string =>
  unpricedCalls > 0 ? ' A model without a price counts at the dearest known one: set its price in VIGIL_PRICES.' : '';

export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

const defined = ({ costMicrodollars }: DeploymentLimits): Partial<Limits> =>
  costMicrodollars === undefined ? {} : { costMicrodollars };
