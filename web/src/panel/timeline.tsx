import type { TimelineReading } from '../hooks/use-timeline';
import type { Shown } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { EarlierRuns } from './earlier-runs';
import { Section } from './section';
import { TimelineOfRun } from './timeline-run';

export interface TimelineProps {
  conversation: Shown;
  reading: TimelineReading;
}

/** The timelines of all runs. The latest is open. */
export function Timeline({ conversation, reading: { timeline, problem, again } }: TimelineProps) {
  const earlier = timeline?.runs.slice(0, -1) ?? [];
  const latest = timeline?.runs.at(-1);
  return (
    <Section title={t('Timeline')}>
      {problem && (
        <p className="mb-2 text-bad text-xs">
          {t('Could not load: {problem}', { problem })}{' '}
          <button type="button" onClick={again} className="font-medium underline underline-offset-2">
            {t('Try again')}
          </button>
        </p>
      )}
      {latest && (
        <TimelineOfRun key={latest.id} run={latest} conversation={conversation} machine={timeline?.stateMachineArn} />
      )}
      {!latest && !problem && (
        <div role="status" aria-label={t('Loading the timeline')} className="flex flex-col gap-2">
          {['w-4/5', 'w-full', 'w-3/5'].map((width) => (
            <div key={width} className={`h-5 animate-breathe rounded-md bg-line/50 ${width}`} />
          ))}
        </div>
      )}
      <EarlierRuns runs={earlier} conversation={conversation} machine={timeline?.stateMachineArn} />
    </Section>
  );
}
