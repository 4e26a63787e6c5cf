import { usePast } from '../hooks/past';
import { useInspect } from '../hooks/use-inspect';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { closedWords, decisionWords } from '../rows/call-state';
import type { CallCard } from '../rows/transcript';
import { ForkButton } from '../ui/fork-button';
import { JsonValue, type JsonValueProps } from '../ui/json-value';
import { Moment } from '../ui/moment';
import { sourceWords } from '../words/sources';
import { Fact, factsLook, forkLook, Work } from './call-facts';
import { DecisionFields } from './decision-fields';
import { FailedAttempts } from './failed-attempts';
import { PlainCall } from './plain-call';

interface CallDetailsProps {
  id: string;
  card: CallCard;
}

/** What a call was given and what came of it: for a developer with names, JSON, attempts and times. */
export function CallDetails(props: CallDetailsProps) {
  const { inspects } = useInspect();
  return inspects ? <InspectedCall {...props} /> : <PlainCall {...props} />;
}

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
      <Fact name={t('tool')}>
        <code className="[overflow-wrap:anywhere]">{call.tool}</code>
      </Fact>
      <Row
        name={edited ? t('input, as edited') : t('input')}
        value={input}
        // Before a decision that changed them, a replay shows other arguments than the row has today.
        whole={past === undefined || completedAt ? async () => (await read(id, call.id)).arguments : undefined}
      />
      {callback && askedAt && (
        <Fact name={t('asked')}>
          <Moment at={askedAt} seconds className="whitespace-nowrap" />
          {closedAt && (
            <>
              {', '}
              <span className="whitespace-nowrap">
                {closedWords(callback)} <Moment at={closedAt} seconds />
              </span>
            </>
          )}
        </Fact>
      )}
      <Row name={t('decision')} value={callback && decisionWords(callback)} />
      {callback?.fields && callback.status !== 'pending' && (
        <Fact name={edited ? t('approved') : t('asked for')}>
          <DecisionFields fields={callback.fields} />
        </Fact>
      )}
      {conversationId && (
        <Fact name={t('work')}>
          <Work id={conversationId} />
        </Fact>
      )}
      <Row name={t('output')} value={result} whole={async () => (await read(id, call.id)).result} />
      <Row name={t('error')} value={error} bad />
      {sources && sources.length > 0 && (
        <Fact name={t('words from')}>
          {sourceWords(sources)}
          {trusted && `, ${t('declared as trusted')}`}
        </Fact>
      )}
      <Row name={t('not undone')} value={undoError} bad />
      {attempts > 0 && (
        <Fact name={t('attempts')}>
          <Attempts count={attempts} from={startedAt} to={completedAt} />
        </Fact>
      )}
      {failedAttempts.length > 0 && (
        <Fact name={t('failed')}>
          <FailedAttempts failed={failedAttempts} />
        </Fact>
      )}
      {undoneAt && (
        <Fact name={t('undone')}>
          <Moment at={undoneAt} seconds />
        </Fact>
      )}
      {failedUndos.length > 0 && (
        <Fact name={t('undoing')}>
          <FailedAttempts failed={failedUndos} />
        </Fact>
      )}
      <Fact name={t('step')}>
        <span className="flex items-center gap-3">
          {call.step}
          <ForkButton id={id} of={call} className={forkLook} />
        </span>
      </Fact>
    </dl>
  );
}

function Attempts({ count, from, to }: { count: number; from?: string; to?: string }) {
  if (!from) return count;
  const start = <Moment at={from} seconds className="whitespace-nowrap" />;
  if (!to) return rich('{count}, from {start}', { count, start });
  const end = <Moment at={to} seconds className="whitespace-nowrap" />;
  return rich('{count}, from {start}, to {end}', { count, start, end });
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
