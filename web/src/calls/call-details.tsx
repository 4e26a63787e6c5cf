import { decisionWords } from '../state/call-state';
import type { CallCard } from '../state/transcript';
import { Moment } from '../ui/moment';

/** What went in, what came out, and how often it was tried. */
export function CallDetails({ card: { call, callback } }: { card: CallCard }) {
  const { arguments: input, result, error, attempts, edited, undoError, startedAt, completedAt } = call;
  const outcome = callback && decisionWords(callback);
  return (
    <dl className="grid gap-x-4 gap-y-2 border-line border-t px-3 py-2.5 text-xs sm:grid-cols-[5.5rem_1fr]">
      <Row name={edited ? 'input, as edited' : 'input'} value={input} />
      <Row name="decision" value={outcome} />
      <Row name="output" value={result} />
      <Row name="error" value={error} bad />
      <Row name="not undone" value={undoError} bad />
      {attempts > 0 && (
        <>
          <dt className="text-faint">attempts</dt>
          <dd className="text-muted">
            {attempts}
            {startedAt && (
              <>
                {', from '}
                <Moment at={startedAt} seconds />
              </>
            )}
            {completedAt && (
              <>
                {' to '}
                <Moment at={completedAt} seconds />
              </>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

function Row({ name, value, bad }: { name: string; value: unknown; bad?: boolean }) {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, too.
          tabIndex={0}
          className={`max-h-72 overflow-auto whitespace-pre-wrap font-mono [overflow-wrap:anywhere] ${bad ? 'text-bad' : 'text-ink'}`}
        >
          {text}
        </pre>
      </dd>
    </>
  );
}
