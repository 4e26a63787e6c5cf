import { asksFor } from 'vigil-client/shared';
import { addUsage, noUsage, type Usage } from '../../base/state/schemas';
import { key } from '../../conversations/rows/keys';
import { Meta } from '../../conversations/rows/meta';
import { StoredCallback } from '../../conversations/rows/rows';
import type { RowChange } from './broadcast';
import type { FinishedEvent } from './events';
import type { MetricDimensions, MetricValues } from './metrics';

export interface Counted {
  /** The message of the line in the log: `usage`, `run ended`. */
  what: string;
  values: MetricValues;
  dimensions: MetricDimensions;
  ids: {
    conversationId: string;
    runId?: string;
    step?: number;
    callId?: string;
    attempt?: number;
    status?: string;
    seq?: number;
    model?: string;
    agentVersion?: string;
  };
}

/**
 * Returns what a change of a row adds to the metrics. It depends only on the row before and after the change: a transaction that was
 * tried twice has changed the row once, so it counts once.
 *
 * @param event what the change finished (`finishedBy`).
 */
export function countedIn(change: RowChange, event: FinishedEvent | undefined): Counted[] {
  if (change.sk.startsWith(key.callback(''))) return takeOverIn(change);
  const usage = change.sk === key.meta ? usageIn(change) : [];
  if (event?.detailType === 'Run ended') return [...usage, endIn(event)];
  return event?.detailType === 'Tool call settled' ? outcomeIn(event) : usage;
}

/** How long a conversation waits for a person, and how long the person has it. */
function takeOverIn({ conversationId, row, before }: RowChange): Counted[] {
  const { kind, assigned, status, agent = '', runId, createdAt, closedAt } = StoredCallback.parse(row);
  if (!asksFor(kind, 'take-over') || !assigned) return [];
  const was = before && StoredCallback.parse(before);
  const of = { dimensions: { Agent: agent }, ids: { conversationId, runId } };
  if (status === 'answered' && was?.status === 'pending')
    return [{ what: 'given back', values: { PersonTime: between(assigned.at, closedAt) }, ...of }];
  // One who steps in is not waited for, nor is one to whom another gives it.
  return status === 'pending' && was?.status === 'pending' && !was.assigned
    ? [{ what: 'taken over', values: { PersonWait: between(createdAt, assigned.at) }, ...of }]
    : [];
}

const between = (from = '', to = ''): number => Date.parse(to) - Date.parse(from);

function outcomeIn({ detail }: FinishedEvent & { detailType: 'Tool call settled' }): Counted[] {
  const { conversationId, tool, status, attempts, runId, step, callId } = detail;
  // It was counted when it had its outcome. A cancelled call that was never attempted is no success of its tool.
  if (status === 'undone' || attempts === 0) return [];
  const values = { ToolFailures: status === 'failed' || status === 'unknown' ? 1 : 0, ToolRetries: attempts - 1 };
  const ids = { conversationId, runId, step, callId, attempt: attempts, status };
  return [{ what: 'call settled', values, dimensions: { Tool: tool }, ids }];
}

function endIn({ detail }: FinishedEvent & { detailType: 'Run ended' }): Counted {
  const { conversationId, runId, status } = detail;
  return {
    what: 'run ended',
    values: { RunsEnded: 1 },
    dimensions: { End: status },
    ids: { conversationId, runId, status },
  };
}

function usageIn({ conversationId, row, before }: RowChange): Counted[] {
  // A fork's first row has what the original has used.
  if (!before) return [];
  const meta = Meta.parse(row);
  const earlier = Meta.parse(before);
  const was = totalOf(earlier);
  const is = totalOf(meta);
  const calls = is.modelCalls - was.modelCalls;
  if (calls <= 0) return [];
  const values = {
    ModelCalls: calls,
    InputTokens: is.inputTokens - was.inputTokens,
    OutputTokens: is.outputTokens - was.outputTokens,
    CostDollars: (is.costMicrodollars - was.costMicrodollars) / 1_000_000,
  };
  const { run, agent } = meta;
  // A step that hands over is the earlier agent's.
  const Agent = earlier.run?.agent ?? run?.agent ?? agent;
  const ids = { conversationId, runId: run?.id, step: run?.step };
  return [{ what: 'usage', values, dimensions: { Agent }, ids }];
}

const totalOf = ({ run, earlierUsage }: Meta): Usage => addUsage(earlierUsage, run?.usage ?? noUsage);
