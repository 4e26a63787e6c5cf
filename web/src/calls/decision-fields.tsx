import { Fragment } from 'react';
import type { DecisionField } from 'vigil-client/shared';
import { useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { localValue } from '../words/fields';

/** The arguments that a person decides about, as the server draws them for every channel, in the reader's language. */
export function DecisionFields({ fields }: { fields: readonly DecisionField[] }) {
  const now = useNow();
  if (fields.length === 0) return null;
  return (
    <dl className="grid grid-cols-[minmax(4rem,auto)_1fr] gap-x-4 gap-y-1">
      {fields.map(({ name, label, kind, text, currency, what, was, cut }) => (
        <Fragment key={name}>
          <dt className="max-w-40 text-muted text-xs leading-5 [overflow-wrap:anywhere]">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <span className={kind === 'money' ? 'font-semibold tabular-nums' : undefined}>
              <bdi>{lines(cut ? text : localValue({ kind, text, currency }, now))}</bdi>
            </span>
            {what && <span className="text-muted text-xs"> ({what})</span>}
            {was && (
              <span className="text-muted text-xs">
                {' '}
                {rich('was {value}', { value: <bdi>{localValue({ kind, text: was, currency }, now)}</bdi> })}
              </span>
            )}
            {cut && <span className="text-muted text-xs"> {t('(not all of it)')}</span>}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A written line break is followed by one. */
const lines = (text: string) =>
  text.split(/(?<=(?<!\\)(?:\\\\)*\\n)/).map((line, at) => (
    <Fragment key={at}>
      {at > 0 && <br />}
      {line}
    </Fragment>
  ));
