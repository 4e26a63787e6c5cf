import type { TimelineRun } from 'vigil-client/shared';
import { useInspect } from '../hooks/use-inspect';
import { useTimeline } from '../hooks/use-timeline';
import { type Shown, useConversation, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { costWords, count } from '../words/words';
import { Laptop } from './laptop';
import { RunState } from './run-state';
import { Timeline } from './timeline';
import { Timers } from './timers';

/** The right side: the runs of the conversation. */
export function RunPanel({ id }: { id: string }) {
  const { clock } = useVigil();
  const { conversation } = useConversation(id);
  const { may } = useInspect();
  return (
    <>
      <div className="flex min-h-0 grow flex-col gap-6 overflow-y-auto px-4 py-4">
        {conversation?.run ? (
          // The key prevents the timeline of the previous conversation from showing for a moment.
          may !== undefined && <Runs key={id} conversation={conversation} />
        ) : (
          <p className="text-faint text-sm">{t('No runs yet.')}</p>
        )}
        {conversation && <Timers conversation={conversation} />}
      </div>
      {clock && <Laptop clock={clock} conversation={conversation} className="border-t" />}
    </>
  );
}

const unpricedIn = (runs: readonly TimelineRun[]): number =>
  runs.reduce((sum, { usage }) => sum + (usage.unpricedCalls ?? 0), 0);

function Runs({ conversation }: { conversation: Shown }) {
  const reading = useTimeline(conversation);
  const { inspects } = useInspect();
  const { runs = [], cost } = reading.timeline ?? {};
  const asked = conversation.calls.some(({ kind }) => kind === 'delegate');
  return (
    <>
      <RunState conversation={conversation} />
      <Timeline conversation={conversation} reading={reading} />
      {cost && runs.length > 1 && (
        <p className="flex justify-between gap-3 text-sm">
          <span className="text-muted">
            {asked
              ? t('All {count} runs, without sub-agents', { count: count(runs.length) })
              : t('All {count} runs', { count: count(runs.length) })}
          </span>
          <span className="font-medium tabular-nums">
            {inspects
              ? costWords(cost.totalMicrodollars, { unpricedCalls: unpricedIn(runs) })
              : costWords(conversation.usage.costMicrodollars, conversation.usage)}
          </span>
        </p>
      )}
    </>
  );
}
