import type { AgentDetails } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { JsonValue } from '../ui/json-value';
import { count, dollars, span } from '../words/words';
import { type Fact, Facts } from './facts';

export type Agent = AgentDetails;

function messageWords(onMessage: Agent['onMessage']): string {
  switch (onMessage) {
    case 'merge':
      return t('is read at the next step, and wakes a sleeping run');
    case 'interrupt':
      return t('cuts off the reply, and is read at once');
    case 'queue':
      return t('starts the next run');
    case 'reject':
      return t('is refused');
  }
}

type Guarded = NonNullable<Agent['guards']>[number]['at'][number];

function guardedWords(place: Guarded): string {
  switch (place) {
    case 'input':
      return t('messages');
    case 'output':
      return t('replies');
    case 'call':
      return t('calls');
    case 'result':
      return t('results');
  }
}

/** An agent's models, limits and ways. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { limits, onMessage, holdFailedDays, contextTokens, endPhrase, output, recall, review, guards } = agent;
  const facts: Fact[] = [
    [t('Model'), modelWords(agent.model)],
    [t('Summaries by'), agent.summaryModel && modelWords(agent.summaryModel)],
    [t('Steps'), t('{count} after each message', { count: count(limits.steps) })],
    [t('Tokens of a run'), limits.tokens && count(limits.tokens)],
    [t('Cost of a run'), limits.costMicrodollars && dollars(limits.costMicrodollars)],
    [t('Age of a run'), limits.seconds && span(limits.seconds * 1_000)],
    [t('Context'), t('{count} tokens; older steps are summarised', { count: count(contextTokens) })],
    [t('A message during a run'), messageWords(onMessage)],
    [
      t('A failed run'),
      holdFailedDays === 0
        ? t('is undone at once')
        : t(
            '{days, plural, one {waits # day for a retry, then is undone} other {waits # days for a retry, then is undone}}',
            {
              days: holdFailedDays,
            },
          ),
    ],
    [t('Ends with'), endPhrase && t('“{phrase}”', { phrase: endPhrase })],
    [t('Memory'), recall && t('reads what it remembers about you with each message')],
    [t('Guards'), guards?.map(({ guard, at }) => `${guard} (${at.map(guardedWords).join(', ')})`).join(', ')],
    [t('Review'), review && t('code checks each reply before its tools run')],
  ];
  return (
    <>
      <Facts facts={facts} />
      {output && (
        <section>
          <h2 className="mb-2 font-semibold">{t('Result')}</h2>
          <JsonValue label={t('Schema of the result')} value={output} />
        </section>
      )}
    </>
  );
}

function modelWords(model: Agent['model']): string {
  const { effort, verbosity, maxOutputTokens, temperature, otherwise = [] } = model;
  return [
    servedBy(model),
    effort && t('{effort} effort', { effort }),
    verbosity && t('{verbosity} verbosity', { verbosity }),
    maxOutputTokens && t('at most {count} tokens a reply', { count: count(maxOutputTokens) }),
    temperature !== undefined && t('temperature {temperature}', { temperature }),
    otherwise.length > 0 &&
      t('while it does not answer: {models}', {
        models: otherwise.map(servedBy).reduce((first, next) => t('{first}, then {next}', { first, next })),
      }),
  ]
    .filter(Boolean)
    .join(', ');
}

const servedBy = ({ name, provider }: Pick<Agent['model'], 'name' | 'provider'>): string =>
  provider ? t('{model} at {provider}', { model: name, provider }) : name;
