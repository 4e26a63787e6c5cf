import type { ReactNode } from 'react';
import { CallDetails } from '../calls/call-details';
import { useInspect } from '../hooks/use-inspect';
import { t } from '../languages/catalogue';
import { callState } from '../rows/call-state';
import type { TimelineRow } from '../rows/timeline-rows';
import { Moment } from '../ui/moment';
import { answeredBy, costWords, count } from '../words/words';

/** The details of a timeline entry: of a call as on its card; of a model call its times, output, tokens and cost. */
export function EntryDetails({ id, row: { entry, message, call, callback } }: { id: string; row: TimelineRow }) {
  const { inspects } = useInspect();
  const { usage, startedAt, endedAt } = entry;
  if (call)
    return (
      <div className="mb-2 [&>dl]:grid-cols-[4rem_1fr] [&>dl]:px-1.5">
        <CallDetails id={id} card={{ call, callback, state: callState(call, callback) }} />
      </div>
    );
  return (
    <dl className="mb-2 grid grid-cols-[4.5rem_1fr] gap-x-3 gap-y-1.5 px-1.5 py-2 text-xs">
      <Fact name={t('from')}>
        <Moment at={startedAt} seconds />
      </Fact>
      {endedAt && (
        <Fact name={t('to')}>
          <Moment at={endedAt} seconds />
        </Fact>
      )}
      {inspects && message?.model && <Fact name={t('model')}>{answeredBy(message)}</Fact>}
      {callback && <Fact name={t('question')}>{callback.prompt}</Fact>}
      {message?.text.trim() && (
        <Fact name={t('output')}>
          <span
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
            tabIndex={0}
            className="block max-h-48 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {message.text.trim()}
          </span>
        </Fact>
      )}
      {inspects && usage && (
        <>
          <Fact name={t('tokens')}>
            {t('{input} in · {output} out', {
              input: count(usage.inputTokens),
              output: count(usage.outputTokens),
            })}
          </Fact>
          <Fact name={t('cost')}>{costWords(usage.costMicrodollars, usage)}</Fact>
        </>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 text-muted tabular-nums">{children}</dd>
    </>
  );
}
