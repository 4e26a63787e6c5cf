import { useState } from 'react';
import type { TimelineRun } from 'vigil-client/shared';
import { useInspect } from '../hooks/use-inspect';
import { type Shown, useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { costWords, moment } from '../words/words';
import { rowStatus } from './row-status';
import { TimelineOfRun, type TimelineOfRunProps } from './timeline-run';

export interface EarlierRunsProps {
  /** Oldest first. */
  runs: readonly TimelineRun[];
  conversation: Shown;
  machine?: string;
}

const atOnce = 20;

/** The runs before the latest, newest first, each in a line that opens. */
export function EarlierRuns({ runs, conversation, machine }: EarlierRunsProps) {
  const [atMost, setAtMost] = useState(atOnce);
  const hidden = runs.length - atMost;
  return (
    <>
      {runs
        .slice(-atMost)
        .reverse()
        .map((run) => (
          <EarlierRun key={run.id} run={run} conversation={conversation} machine={machine} />
        ))}
      {hidden > 0 && (
        <Button look="quiet" className="mt-2 w-full" onClick={() => setAtMost(atMost + atOnce)}>
          {t('Show {shown} of {hidden} earlier runs', { shown: Math.min(atOnce, hidden), hidden })}
        </Button>
      )}
    </>
  );
}

/** Renders its content only while it is open: a conversation may have hundreds of runs. */
function EarlierRun({ run, conversation, machine }: TimelineOfRunProps) {
  const { status, startedAt, cost, usage } = run;
  const now = useNow(60_000);
  const { inspects } = useInspect();
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-2 border-line border-t pt-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-muted text-xs">
        {rowStatus(status)}, {moment(startedAt, now)} ·{' '}
        {inspects ? costWords(cost.totalMicrodollars, usage) : costWords(usage.costMicrodollars, usage)}
      </summary>
      {open && (
        <div className="mt-2">
          <TimelineOfRun run={run} conversation={conversation} machine={machine} />
        </div>
      )}
    </details>
  );
}
