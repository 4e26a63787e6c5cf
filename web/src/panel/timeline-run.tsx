import { History } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TimelineRun } from 'vigil-client/shared';
import { useInspect } from '../hooks/use-inspect';
import { replayAddress } from '../hooks/use-place';
import { type Shown, useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { executionAddress } from '../rows/step-functions';
import { timeScale } from '../rows/time-scale';
import { rowsById, timelineRows } from '../rows/timeline-rows';
import { Button } from '../ui/button';
import { BreakLabels } from './timeline-bars';
import { hasFailed, Legend } from './timeline-legend';
import { TimelineRowView } from './timeline-row';
import { RunCost, RunFigures } from './usage';

const shownAtMost = 20;

/** For developers on AWS: where the executions of a run are in the console. A laptop has no console. */
function Executions({ run: { id, segments }, machine }: { run: TimelineRun; machine: string }) {
  const isLaptop = useVigil().clock !== undefined;
  const all = Array.from({ length: segments }, (_, index) => index + 1);
  const links = all.slice(-shownAtMost).map((segment) => [segment, executionAddress(machine, id, segment)] as const);
  if (isLaptop || links.every(([, address]) => address === undefined)) return null;
  return (
    <ul aria-label={t('Open in Step Functions')} className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {links.map(([segment, address]) => (
        <li key={segment}>
          <a href={address} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
            {segments === 1 ? t('Open in Step Functions') : t('Segment {segment} in Step Functions', { segment })}
          </a>
        </li>
      ))}
    </ul>
  );
}

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
  const { inspects } = useInspect();
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
          {t('{count, plural, one {Show # earlier entry} other {Show # earlier entries}}', { count: before })}
        </Button>
      )}
      <BreakLabels scale={scale} />
      <ol aria-label={t('Timeline of the run')} className="-mx-1.5 flex flex-col">
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
      {inspects ? <RunFigures run={run} asked={asked} /> : <RunCost usage={run.usage} />}
      {inspects && run.entries.length > 0 && (
        <a
          href={replayAddress(conversation.id, { runId: run.id, step: 1, nth: 1 })}
          className="mt-2 inline-flex min-h-6 items-center gap-1.5 text-accent text-sm underline underline-offset-2"
        >
          <History aria-hidden className="size-3.5" /> {t('Replay step by step')}
        </a>
      )}
      {inspects && machine && <Executions run={run} machine={machine} />}
    </>
  );
}
