/** The metrics of a deployment in CloudWatch (docs/operations.md). Functions print them, alarms and the dashboard read them. */
export const metricsNamespace = 'Vigil';

/** The dimension that all metrics have: the name of the deployment's stack. */
export const stackDimension = 'Stack';

interface MetricFacts {
  unit: 'Count' | 'Milliseconds' | 'None';
  /** A further dimension, in which the metric is counted as well. Its values are few: names in the deployment, never ids. */
  by?: 'Agent' | 'Model' | 'Tool' | 'End';
}

export const metrics = {
  /** Model calls that the user was charged for. */
  ModelCalls: { unit: 'Count', by: 'Agent' },
  InputTokens: { unit: 'Count' },
  OutputTokens: { unit: 'Count' },
  /** By the price list, as the page shows it. */
  CostDollars: { unit: 'None', by: 'Agent' },
  RunsEnded: { unit: 'Count', by: 'End' },
  /** Of a model call that succeeded, from the request to the end of the reply, and to its first word. */
  ModelLatency: { unit: 'Milliseconds', by: 'Model' },
  FirstWord: { unit: 'Milliseconds', by: 'Model' },
  /** 1 for each model call that failed, 0 for each other: the average is their share. */
  ModelFailures: { unit: 'Count', by: 'Model' },
  /** For each tool call that has its outcome: 1 if it is `failed` or `unknown`, or else 0. */
  ToolFailures: { unit: 'Count', by: 'Tool' },
  /** For each such call: its attempts after the first. */
  ToolRetries: { unit: 'Count', by: 'Tool' },
  /** From the hand-off of a conversation to a person to the claim of one, and from the latest claim until they gave it back. */
  PersonWait: { unit: 'Milliseconds', by: 'Agent' },
  PersonTime: { unit: 'Milliseconds', by: 'Agent' },
  /** Verdicts of people on replies. One that is taken back counts as -1, so the sums are those that stand. */
  ThumbsUp: { unit: 'Count', by: 'Agent' },
  ThumbsDown: { unit: 'Count', by: 'Agent' },
  /** The age of the oldest to-do that Relay could not do. */
  OutboxAge: { unit: 'Milliseconds' },
  /** Of messages that were embedded, so that they are found by meaning. */
  EmbeddingTokens: { unit: 'Count' },
  /** Spans that the traces' backend has, that it has not taken yet, and that it has refused for good, or whose metrics are lost. */
  SpansSent: { unit: 'Count' },
  SpansWaiting: { unit: 'Count' },
  SpansLost: { unit: 'Count' },
  /** The things that Reconcile has started again, ended or sent. */
  Repairs: { unit: 'Count' },
} as const satisfies Record<string, MetricFacts>;

export type MetricName = keyof typeof metrics;
export type MetricValues = Partial<Record<MetricName, number>>;
export type MetricDimensions = Partial<Record<NonNullable<MetricFacts['by']>, string>>;

export const factsOfMetric = (name: MetricName): MetricFacts => metrics[name];
