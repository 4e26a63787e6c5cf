import type { Usage } from '../../../core/state/schemas';
import type { TimelineRun } from '../../../core/views/timeline';
import { count, dollars } from '../words/words';

export interface RunFiguresProps {
  run: TimelineRun;
  /** The number of delegations, whose sub-agents have conversations of their own. */
  asked: number;
}

/** Returns the model's cost in words, or nothing for a stand-in model, which is free. */
export function modelCost({ costMicrodollars, unpricedCalls = 0 }: Usage): string[] {
  const known = costMicrodollars > 0 ? dollars(costMicrodollars) : '';
  if (unpricedCalls === 0) return known ? [known] : [];
  return [known ? `${known} plus unknown` : 'unknown'];
}

/** The usage of the model and of AWS, and the total cost. */
export function RunFigures({ run: { usage, cost, segments }, asked }: RunFiguresProps) {
  const rows = [
    ['Model calls', count(usage.modelCalls)],
    ['Tokens', `${count(usage.inputTokens)} in · ${count(usage.outputTokens)} out`],
    ...modelCost(usage).map((words) => ['Model cost', words]),
    ['State transitions', count(cost.stateTransitions)],
    ...(segments > 1 ? [['Executions', count(segments)]] : []),
    ['Lambda', `${cost.lambdaGbSeconds.toFixed(cost.lambdaGbSeconds < 10 ? 2 : 0)} GB-s`],
    ['Table units', `${count(cost.tableWriteUnits)} write · ${count(cost.tableReadUnits)} read`],
  ];
  return (
    <>
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">{value}</dd>
          </div>
        ))}
        <div className="contents font-medium" title="The model’s cost plus an estimate of AWS at list prices">
          <dt className="mt-0.5 border-line border-t pt-1">Total</dt>
          <dd className="mt-0.5 border-line border-t pt-1 text-right tabular-nums">
            {dollars(cost.totalMicrodollars)}
          </dd>
        </div>
      </dl>
      {asked > 0 && (
        <p className="mt-1 text-faint text-xs">
          {asked === 1
            ? 'Without the sub-agent. Its own conversation shows its cost.'
            : `Without the ${count(asked)} sub-agents. Their own conversations show their costs.`}
        </p>
      )}
    </>
  );
}
