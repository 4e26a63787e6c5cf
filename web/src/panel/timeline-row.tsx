import { clsx } from 'clsx';
import { Collapsible } from 'radix-ui';
import { useInspect } from '../hooks/use-inspect';
import { t } from '../languages/catalogue';
import type { TimeScale } from '../rows/time-scale';
import type { TimelineRow } from '../rows/timeline-rows';
import { span, toolWords } from '../words/words';
import { EntryDetails } from './entry-details';
import { rowStatus } from './row-status';
import { Bars } from './timeline-bars';
import { hasFailed, kindWords } from './timeline-legend';

export interface TimelineRowProps {
  /** The conversation's id. */
  id: string;
  row: TimelineRow;
  scale: TimeScale;
  now?: number;
}

/** The names of tools are for developers. */
function labelForPeople({ entry: { kind }, call, label }: TimelineRow): string {
  if (!call || kind === 'hand-off') return label;
  return kind === 'undo' ? t('Undo: {tool}', { tool: toolWords(call) }) : toolWords(call);
}

/**
 * A timeline entry: its name, its duration and its bars. It opens for details. Its text says everything that the bars
 * show.
 */
export function TimelineRowView({ id, row, scale, now }: TimelineRowProps) {
  const { entry, bars, tookMs } = row;
  const { inspects } = useInspect();
  const { kind, status, attempts = 0 } = entry;
  const label = inspects ? row.label : labelForPeople(row);
  const failed = hasFailed(entry);
  const ended = status === 'complete' || status === 'completed' || status === 'answered';
  return (
    <li data-entry={kind}>
      <Collapsible.Root>
        <Collapsible.Trigger className="group w-full rounded-md px-1.5 pt-0.5 pb-1.5 text-left hover:bg-line/40 data-[state=open]:bg-line/40">
          <span className="flex items-baseline gap-1.5 text-xs">
            <span className="sr-only">{kindWords(kind)}: </span>
            <span className="min-w-0 truncate">{label}</span>
            {attempts > 1 && <span className="shrink-0 text-bad">{t('{count} attempts', { count: attempts })}</span>}
            {!ended && (
              <span className={clsx('shrink-0', failed ? 'text-bad' : 'text-faint')}>{rowStatus(status)}</span>
            )}
            <span className="sr-only">, {t('step {step}', { step: entry.step })}, </span>
            <span className="ml-auto shrink-0 text-faint tabular-nums">
              {kind !== 'hand-off' && tookMs !== undefined && span(tookMs)}
            </span>
          </span>
          <Bars bars={bars} scale={scale} failed={failed} now={now} />
        </Collapsible.Trigger>
        <Collapsible.Content>
          <EntryDetails id={id} row={row} />
        </Collapsible.Content>
      </Collapsible.Root>
    </li>
  );
}
