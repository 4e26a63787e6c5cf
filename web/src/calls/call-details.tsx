import type { ReactNode } from 'react';
import { sourceWords } from 'vigil-client/shared';
import { usePast } from '../hooks/past';
import { useInspect } from '../hooks/use-inspect';
import { addressOf } from '../hooks/use-place';
import { useNow, useVigil } from '../hooks/use-vigil';
import { closedWords, decisionWords } from '../rows/call-state';
import type { CallCard } from '../rows/transcript';
import { ForkButton } from '../ui/fork-button';
import { JsonValue, type JsonValueProps } from '../ui/json-value';
import { Moment } from '../ui/moment';
import { plainFacts, plainText, plainValue } from '../words/plain-facts';
import { DecisionFields } from './decision-fields';
import { FailedAttempts } from './failed-attempts';

interface CallDetailsProps {
  id: string;
  card: CallCard;
}

/** What a call was given and what came of it: for a developer with names, JSON, attempts and times. */
export function CallDetails(props: CallDetailsProps) {
  const { inspects } = useInspect();
  return inspects ? <InspectedCall {...props} /> : <PlainCall {...props} />;
}

/** The same for people. */
function PlainCall({ id, card: { call, callback } }: CallDetailsProps) {
  const now = useNow();
  const { arguments: input, result, error, edited, undoError, undoneAt } = call;
  const decision = callback && decisionWords(callback);
  const fields = callback?.status === 'pending' ? undefined : callback?.fields;
  return (
    <dl className={factsLook}>
      {fields ? (
        <Fact name={edited ? 'Approved' : 'Asked for'}>
          <DecisionFields fields={fields} />
        </Fact>
      ) : (
        plainFacts(input, now).map(({ label, text }) => (
          <Fact key={label} name={label}>
            <Words text={text} />
          </Fact>
        ))
      )}
      {decision !== undefined && (
        <Fact name={callback?.kind === 'question' ? 'Answer' : 'Decision'}>
          <Words text={plainValue(decision, now)} />
        </Fact>
      )}
      {callback?.conversationId && (
        <Fact name="Work">
          <Work id={callback.conversationId} />
        </Fact>
      )}
      {plainFacts(result, now).map(({ label, text }) => (
        <Fact key={`result ${label}`} name={label || 'Result'}>
          <Words text={text} />
        </Fact>
      ))}
      {error && (
        <Fact name="Failed">
          <Words text={plainText(error)} />
        </Fact>
      )}
      {undoneAt && (
        <Fact name="Undone">
          <Moment at={undoneAt} />
        </Fact>
      )}
      {undoError && (
        <Fact name="Not undone">
          <Words text={plainText(undoError)} />
        </Fact>
      )}
      <Fact name="When">
        <span className="flex flex-wrap items-center gap-x-3">
          <Moment at={call.startedAt ?? call.createdAt} />
          <ForkButton id={id} of={call} className={forkLook} />
        </span>
      </Fact>
    </dl>
  );
}

const factsLook = 'grid gap-x-4 gap-y-2 border-line border-t px-3 py-2.5 text-xs sm:grid-cols-[5.5rem_1fr]';
const forkLook = 'inline-flex min-h-6 items-center gap-1 text-muted text-xs hover:text-ink';

/** A text of any length. */
const Words = ({ text }: { text: string }) => (
  <span
    dir="auto"
    tabIndex={text.length > 400 ? 0 : undefined}
    className="block max-h-48 overflow-y-auto whitespace-pre-wrap text-ink [overflow-wrap:anywhere]"
  >
    {text}
  </span>
);

const Work = ({ id }: { id: string }) => (
  <a href={addressOf(id)} className="text-accent underline underline-offset-2">
    in a separate conversation
  </a>
);

/** Input, output, attempts and waiting times of a call. */
function InspectedCall({ id, card: { call, callback } }: CallDetailsProps) {
  const {
    arguments: input,
    result,
    error,
    attempts,
    edited,
    undoError,
    startedAt,
    completedAt,
    sources,
    trusted,
    failedAttempts = [],
    failedUndos = [],
    undoneAt,
  } = call;
  const { call: read } = useVigil();
  const past = usePast();
  const { createdAt: askedAt, closedAt, conversationId } = callback ?? {};
  return (
    <dl className={factsLook}>
      <Fact name="tool">
        <code className="[overflow-wrap:anywhere]">{call.tool}</code>
      </Fact>
      <Row
        name={edited ? 'input, as edited' : 'input'}
        value={input}
        // Before a decision that changed them, a replay shows other arguments than the row has today.
        whole={past === undefined || completedAt ? async () => (await read(id, call.id)).arguments : undefined}
      />
      {callback && askedAt && (
        <Fact name="asked">
          <Span from={askedAt} to={closedAt} then={closedWords(callback)} />
        </Fact>
      )}
      <Row name="decision" value={callback && decisionWords(callback)} />
      {callback?.fields && callback.status !== 'pending' && (
        <Fact name={edited ? 'approved' : 'asked for'}>
          <DecisionFields fields={callback.fields} />
        </Fact>
      )}
      {conversationId && (
        <Fact name="work">
          <Work id={conversationId} />
        </Fact>
      )}
      <Row name="output" value={result} whole={async () => (await read(id, call.id)).result} />
      <Row name="error" value={error} bad />
      {sources && sources.length > 0 && (
        <Fact name="words from">
          {sourceWords(sources)}
          {trusted && ', declared as trusted'}
        </Fact>
      )}
      <Row name="not undone" value={undoError} bad />
      {attempts > 0 && (
        <Fact name="attempts">
          {attempts}
          {startedAt && ', from '}
          {startedAt && <Span from={startedAt} to={completedAt} then="to" />}
        </Fact>
      )}
      {failedAttempts.length > 0 && (
        <Fact name="failed">
          <FailedAttempts failed={failedAttempts} />
        </Fact>
      )}
      {undoneAt && (
        <Fact name="undone">
          <Moment at={undoneAt} seconds />
        </Fact>
      )}
      {failedUndos.length > 0 && (
        <Fact name="undoing">
          <FailedAttempts failed={failedUndos} />
        </Fact>
      )}
      <Fact name="step">
        <span className="flex items-center gap-3">
          {call.step}
          <ForkButton id={id} of={call} className={forkLook} />
        </span>
      </Fact>
    </dl>
  );
}

function Span({ from, to, then }: { from: string; to?: string; then: string }) {
  return (
    <>
      <Moment at={from} seconds className="whitespace-nowrap" />
      {to && (
        <>
          {', '}
          <span className="whitespace-nowrap">
            {then} <Moment at={to} seconds />
          </span>
        </>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="text-muted">{children}</dd>
    </>
  );
}

function Row({ name, ...shown }: Omit<JsonValueProps, 'label'> & { name: string }) {
  const { value } = shown;
  if (value === undefined || value === null) return null;
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">
        <JsonValue label={name} {...shown} />
      </dd>
    </>
  );
}
