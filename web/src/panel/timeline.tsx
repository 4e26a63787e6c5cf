import { looksOf } from '../calls/call-looks';
import { callState } from '../state/call-state';
import type { Shown } from '../state/use-vigil';
import { useNow } from '../state/use-vigil';
import { clockTime } from '../state/words';
import { Section } from './section';

const shownAtMost = 8;

/** The run's last calls by time. A drawn timeline, from `GET /conversations/{id}/timeline`, takes this place. */
export function Timeline({ conversation: { run, calls, callbacks } }: { conversation: Shown }) {
  const now = useNow();
  const ofRun = calls.filter(({ runId }) => runId === run?.id).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  if (ofRun.length === 0) return null;
  return (
    <Section title="Steps">
      <ol className="flex flex-col gap-1 text-sm">
        {ofRun.slice(-shownAtMost).map((call) => {
          const { Icon, tone, words } = looksOf(
            callState(
              call,
              callbacks.find(({ id }) => id === call.callbackId),
            ),
            now,
          );
          return (
            <li key={call.id} className="flex items-center gap-2">
              <span className="w-10 shrink-0 text-faint text-xs tabular-nums">
                {clockTime(Date.parse(call.createdAt))}
              </span>
              <Icon role="img" aria-label={words} className={`size-3.5 shrink-0 ${tone}`} />
              <span className="truncate text-muted">{call.tool}</span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
