import { useState } from 'react';
import type { TimelineRun } from '../../../core/timeline';
import { timeScale } from '../state/time-scale';
import { timelineRows } from '../state/timeline-rows';
import { type Shown, useNow } from '../state/use-vigil';
import { Button } from '../ui/button';
import { BreakLabels } from './timeline-bars';
import { Legend } from './timeline-legend';
import { TimelineRowView } from './timeline-row';
import { RunFigures } from './usage';

const atMost = 24;

/** One run: a line for each model call, tool call, wait, question and hand-off, each with its place in time. */
export function TimelineOfRun({ run, conversation }: { run: TimelineRun; conversation: Shown }) {
  const now = useNow(run.endedAt ? 60_000 : 2_000);
  const [all, setAll] = useState(false);
  const rows = timelineRows(run, conversation, now);
  const shown = all ? rows : rows.slice(-atMost);
  const scale = timeScale(shown.flatMap(({ bars }) => bars));
  return (
    <>
      {shown.length < rows.length && (
        <Button look="quiet" className="mb-1 w-full" onClick={() => setAll(true)}>
          Show the {rows.length - shown.length} before
        </Button>
      )}
      <BreakLabels scale={scale} />
      <ol aria-label="What the run did and waited for" className="-mx-1.5 flex flex-col">
        {shown.map((row) => (
          <TimelineRowView key={row.key} row={row} scale={scale} now={run.endedAt ? undefined : now} />
        ))}
      </ol>
      <Legend kinds={new Set(shown.flatMap(({ bars }) => bars.map(({ kind }) => kind)))} />
      <RunFigures run={run} />
    </>
  );
}
