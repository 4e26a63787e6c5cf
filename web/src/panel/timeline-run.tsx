import { History } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TimelineRun } from '../../../core/views/timeline';
import { replayAddress } from '../hooks/use-place';
import { type Shown, useNow } from '../hooks/use-vigil';
import { timeScale } from '../rows/time-scale';
import { rowsById, timelineRows } from '../rows/timeline-rows';
import { Button } from '../ui/button';
import { Executions } from './executions';
import { BreakLabels } from './timeline-bars';
import { hasFailed, Legend } from './timeline-legend';
import { TimelineRowView } from './timeline-row';
import { RunFigures } from './usage';

const atMost = 24;

export interface TimelineOfRunProps {
  run: TimelineRun;
  conversation: Shown;
  /** For developers: the ARN of the state machine. */
  machine?: string;
}

/** One run: a line for each model call, tool call, wait, question and hand-off. */
export function TimelineOfRun({ run, conversation, machine }: TimelineOfRunProps) {
  const now = useNow(run.endedAt ? 60_000 : 2_000);
  const [all, setAll] = useState(false);
  const byId = useMemo(() => rowsById(conversation), [conversation]);
  const rows = timelineRows(run, byId, now, all ? undefined : atMost);
  const before = run.entries.length - rows.length;
  const asked = conversation.calls.filter(({ kind, runId }) => kind === 'delegate' && runId === run.id).length;
  const scale = timeScale(rows.flatMap(({ bars }) => bars));
  return (
    <>
      {before > 0 && (
        <Button look="quiet" className="mb-1 w-full" onClick={() => setAll(true)}>
          Show {before} earlier entries
        </Button>
      )}
      <BreakLabels scale={scale} />
      <ol aria-label="Timeline of the run" className="-mx-1.5 flex flex-col">
        {rows.map((row) => (
          <TimelineRowView
            key={row.key}
            id={conversation.id}
            row={row}
            scale={scale}
            now={run.endedAt ? undefined : now}
          />
        ))}
      </ol>
      <Legend
        kinds={new Set(rows.flatMap(({ bars }) => bars.map(({ kind }) => kind)))}
        failed={rows.some(({ entry, bars }) => hasFailed(entry) || bars.some((bar) => bar.failed))}
      />
      <RunFigures run={run} asked={asked} />
      {run.entries.length > 0 && (
        <a
          href={replayAddress(conversation.id, { runId: run.id, step: 1, nth: 1 })}
          className="mt-2 inline-flex min-h-6 items-center gap-1.5 text-accent text-sm underline underline-offset-2"
        >
          <History aria-hidden className="size-3.5" /> Replay step by step
        </a>
      )}
      {machine && <Executions run={run} machine={machine} />}
    </>
  );
}
