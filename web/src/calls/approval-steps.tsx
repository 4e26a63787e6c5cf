import { clsx } from 'clsx';
import { Check, CircleDashed, CircleDot } from 'lucide-react';
import type { Callback } from 'vigil-client';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { deciderName } from '../rows/deciders';
import { Moment } from '../ui/moment';
import { Made } from './decision-made';

/** The steps of an approval that several people decide: who has, who is due, and what comes after. */
export function ApprovalSteps({ callback }: { callback: Callback }) {
  const { steps = [], dueStep = 0, decisions = [] } = callback;
  return (
    <ol aria-label={t('Who decides')} className="flex flex-col gap-1 text-sm">
      {steps.map(({ by, count, escalatesTo, escalatesAt }, index) => {
        const made = decisions.filter(({ step, approved }) => step === index && approved);
        const Icon = index < dueStep ? Check : index === dueStep ? CircleDot : CircleDashed;
        return (
          <li key={index} className={clsx('flex items-start gap-2', index > dueStep && 'text-muted')}>
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {count > 1 ? t('{count} of {name}', { count, name: deciderName(by) }) : deciderName(by)}
              {escalatesTo && (
                <span className="text-muted">
                  {', '}
                  {escalatesAt
                    ? rich('from {moment} also {name}', {
                        moment: <Moment at={escalatesAt} />,
                        name: deciderName(escalatesTo),
                      })
                    : t('later also {name}', { name: deciderName(escalatesTo) })}
                </span>
              )}
              {index === dueStep && (
                <span className="text-muted"> · {t('{count} to decide', { count: count - made.length })}</span>
              )}
              {made.map((one) => (
                <span key={one.by} className="block text-muted text-xs">
                  <Made made={one} />
                </span>
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
