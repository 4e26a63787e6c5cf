import type { TimelineRun, Usage } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { costWords, count, restWords, savedWords } from '../words/words';

export interface RunFiguresProps {
  run: TimelineRun;
  /** The number of delegations, whose sub-agents have conversations of their own. */
  asked: number;
}

/** What the models of a run cost, as everywhere on the page. Guesses make it “at most”. */
export function RunCost({ usage }: { usage: Usage }) {
  return (
    <p
      className="mt-3 flex justify-between gap-3 border-line border-t pt-2 text-sm"
      title={t('By the price list of this deployment. A model without a price counts at the dearest one.')}
    >
      <span className="text-muted">{t('Cost of the models')}</span>
      <span className="font-medium tabular-nums">{costWords(usage.costMicrodollars, usage)}</span>
    </p>
  );
}

/** Attempts without a reply are no calls of the model: mostly they have not reached it. */
const failedOf = (kind: string, attempts: number, own: Usage | undefined): number =>
  kind === 'model' ? attempts - (own ? 1 : 0) : 0;

/** The saving is part of the model's cost already. */
const cacheWords = ({ cachedInputTokens = 0, savedMicrodollars }: Usage): string =>
  [
    t('{input} in', { input: count(cachedInputTokens) }),
    ...(savedMicrodollars === undefined ? [] : [savedWords(savedMicrodollars)]),
  ].join(' · ');

/** The usage of the model and of AWS, and the total cost. */
export function RunFigures({ run: { usage, cost, segments, entries }, asked }: RunFiguresProps) {
  const failed = entries.reduce((sum, { kind, attempts = 0, usage: own }) => sum + failedOf(kind, attempts, own), 0);
  const decimals = cost.lambdaGbSeconds < 10 ? 2 : 0;
  const gbSeconds = cost.lambdaGbSeconds.toLocaleString(locale(), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const rows = [
    [
      t('Model calls'),
      [
        count(usage.modelCalls),
        ...(failed > 0
          ? [t('{count, plural, one {# failed attempt} other {# failed attempts}}', { count: failed })]
          : []),
      ].join(' · '),
    ],
    [
      t('Tokens'),
      t('{input} in · {output} out', { input: count(usage.inputTokens), output: count(usage.outputTokens) }),
    ],
    ...(usage.cachedInputTokens || usage.cacheWriteTokens ? [[t('From the cache'), cacheWords(usage)]] : []),
    [t('Cost of the models'), costWords(usage.costMicrodollars, usage)],
    [t('Cost of AWS, estimated'), restWords(cost.totalMicrodollars, usage.costMicrodollars)],
    [t('State transitions'), count(cost.stateTransitions)],
    ...(segments > 1 ? [[t('Executions'), count(segments)]] : []),
    ['Lambda', `${gbSeconds} GB-s`],
    [
      t('Table units'),
      t('{written} write · {read} read', {
        written: count(cost.tableWriteUnits),
        read: count(cost.tableReadUnits),
      }),
    ],
  ];
  return (
    <>
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">{value}</dd>
          </div>
        ))}
        <div className="contents font-medium" title={t('The models’ cost plus an estimate of AWS at list prices')}>
          <dt className="mt-0.5 border-line border-t pt-1">{t('Total')}</dt>
          <dd className="mt-0.5 border-line border-t pt-1 text-right tabular-nums">
            {costWords(cost.totalMicrodollars, usage)}
          </dd>
        </div>
      </dl>
      {asked > 0 && (
        <p className="mt-1 text-faint text-xs">
          {t(
            '{count, plural, one {Without the sub-agent. Its own conversation shows its cost.} other {Without the # sub-agents. Their own conversations show their costs.}}',
            { count: asked },
          )}
        </p>
      )}
    </>
  );
}
