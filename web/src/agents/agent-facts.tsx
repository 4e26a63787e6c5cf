import type { AgentDetails } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { JsonValue } from '../ui/json-value';
import { count, dollars, span } from '../words/words';
import { type Fact, Facts } from './facts';

export type Agent = AgentDetails;

const onMessages: Record<Agent['onMessage'], string> = {
  merge: 'is read at the next step, and wakes a sleeping run',
  interrupt: 'cuts off the reply, and is read at once',
  queue: 'starts the next run',
  reject: 'is refused',
};

const guardedWords = { input: 'messages', output: 'replies', call: 'calls', result: 'results' };

/** An agent's models, limits and ways. */
export function AgentFacts({ agent }: { agent: Agent }) {
  const { limits, onMessage, holdFailedDays, contextTokens, endPhrase, output, recall, review, guards } = agent;
  const facts: Fact[] = [
    ['Model', modelWords(agent.model)],
    ['Summaries by', agent.summaryModel && modelWords(agent.summaryModel)],
    ['Steps', `${count(limits.steps)} after each message`],
    ['Tokens of a run', limits.tokens && count(limits.tokens)],
    ['Cost of a run', limits.costMicrodollars && dollars(limits.costMicrodollars)],
    ['Age of a run', limits.seconds && span(limits.seconds * 1_000)],
    ['Context', `${count(contextTokens)} tokens; older steps are summarised`],
    ['A message during a run', onMessages[onMessage]],
    [
      'A failed run',
      holdFailedDays === 0 ? 'is undone at once' : `waits ${holdFailedDays} days for a retry, then is undone`,
    ],
    ['Ends with', endPhrase && `“${endPhrase}”`],
    ['Memory', recall && 'reads what it remembers about you with each message'],
    [
      'Guards',
      guards?.map(({ guard, at }) => `${guard} (${at.map((place) => guardedWords[place]).join(', ')})`).join(', '),
    ],
    ['Review', review && 'code checks each reply before its tools run'],
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

function modelWords({
  name,
  provider,
  effort,
  verbosity,
  maxOutputTokens,
  temperature,
  otherwise = [],
}: Agent['model']): string {
  return [
    ...[
      provider ? `${name} at ${provider}` : name,
      effort && `${effort} effort`,
      verbosity && `${verbosity} verbosity`,
    ],
    maxOutputTokens && `at most ${count(maxOutputTokens)} tokens a reply`,
    temperature !== undefined && `temperature ${temperature}`,
    otherwise.length > 0 &&
      `while it does not answer: ${otherwise.map((one) => [one.name, one.provider].filter(Boolean).join(' at ')).join(', then ')}`,
  ]
    .filter(Boolean)
    .join(', ');
}
