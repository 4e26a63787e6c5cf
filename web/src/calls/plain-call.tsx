import type { Callback } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import { useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { decisionWords } from '../rows/call-state';
import type { CallCard } from '../rows/transcript';
import { ForkButton } from '../ui/fork-button';
import { Moment } from '../ui/moment';
import { plainFacts, plainText, plainValue } from '../words/plain-facts';
import { Fact, factsLook, forkLook, Work } from './call-facts';
import { DecisionFields } from './decision-fields';

/** What a call was given and what came of it, in words for people. */
export function PlainCall({ id, card: { call, callback } }: { id: string; card: CallCard }) {
  const now = useNow();
  const { arguments: input, result, error, edited, undoError, undoneAt } = call;
  const decision = callback && decisionWords(callback);
  const fields = callback?.status === 'pending' ? undefined : callback?.fields;
  return (
    <dl className={factsLook}>
      {fields ? (
        <Fact name={edited ? t('Approved') : t('Asked for')}>
          <DecisionFields fields={fields} />
        </Fact>
      ) : (
        plainFacts(input, now).map(({ label, text }) => (
          <Fact key={label} name={label}>
            <Words text={text} />
          </Fact>
        ))
      )}
      {callback && decision !== undefined && (
        <Fact name={decisionName(callback.kind)}>
          <Words text={plainValue(decision, now)} />
        </Fact>
      )}
      {callback?.conversationId && (
        <Fact name={t('Work')}>
          <Work id={callback.conversationId} />
        </Fact>
      )}
      {plainFacts(result, now).map(({ label, text }) => (
        <Fact key={`result ${label}`} name={label || t('Result')}>
          <Words text={text} />
        </Fact>
      ))}
      {error && (
        <Fact name={t('Failed')}>
          <Words text={plainText(error)} />
        </Fact>
      )}
      {undoneAt && (
        <Fact name={t('Undone')}>
          <Moment at={undoneAt} />
        </Fact>
      )}
      {undoError && (
        <Fact name={t('Not undone')}>
          <Words text={plainText(undoError)} />
        </Fact>
      )}
      <Fact name={t('When')}>
        <span className="flex flex-wrap items-center gap-x-3">
          <Moment at={call.startedAt ?? call.createdAt} />
          <ForkButton id={id} of={call} className={forkLook} />
        </span>
      </Fact>
    </dl>
  );
}

function decisionName(kind: Callback['kind']): string {
  if (asksFor(kind, 'answer')) return t('Answer');
  return asksFor(kind, 'take-over') ? t('Note') : t('Decision');
}

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
