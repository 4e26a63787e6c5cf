import { clsx } from 'clsx';
import { useId } from 'react';
import { t } from '../languages/catalogue';
import { currencySign, isSignLast } from '../words/amounts';
import { type Field, withHidden } from '../words/fields';

const look =
  'w-full rounded-lg border bg-raised px-2.5 py-[5px] outline-none focus-within:border-accent [overflow-wrap:anywhere]';

interface ArgumentFieldProps {
  field: Field;
  value: string | boolean;
  /** The reason why the input is not accepted. */
  problem?: string;
  change: (to: string | boolean) => void;
}

/** The field of one argument, in the reader's unit. Characters that cannot be seen are written out below. */
export function ArgumentField({ field, value, problem, change }: ArgumentFieldProps) {
  const id = useId();
  const noteId = useId();
  const { kind, label, what, currency } = field;
  if (typeof value === 'boolean')
    return (
      <label className="flex items-center gap-2 self-end py-1">
        <input type="checkbox" checked={value} onChange={({ target }) => change(target.checked)} />
        {label}
      </label>
    );
  const written = withHidden(value);
  const shared = {
    id,
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': written || problem ? noteId : undefined,
  };
  const border = problem ? 'border-bad' : 'border-line';
  const type = ({ target }: { target: { value: string } }) => change(target.value);
  return (
    <div className={kind === 'json' || value.length > 60 ? 'sm:col-span-2' : undefined}>
      <label htmlFor={id} className="mb-0.5 flex flex-wrap justify-between gap-x-2 text-muted text-xs">
        <span className="[overflow-wrap:anywhere]">
          {label}
          {kind === 'json' && ' (JSON)'}
        </span>
        {what && <span className="font-medium">{what}</span>}
      </label>
      {kind === 'choice' ? (
        <select {...shared} onChange={type} className={clsx(look, border, 'h-8')}>
          {!field.rules.enum!.includes(value) && <option value={value}>{value}</option>}
          {(field.rules.enum as string[]).map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : kind === 'number' || kind === 'money' ? (
        <span className="flex items-center gap-1.5">
          {currency && (
            <span aria-hidden className={clsx(isSignLast(currency) && 'order-last')}>
              {currencySign(currency)}
            </span>
          )}
          <input {...shared} inputMode="decimal" onChange={type} className={clsx(look, border, 'h-8 tabular-nums')} />
        </span>
      ) : kind === 'date' || kind === 'time' ? (
        <input
          {...shared}
          type={kind === 'date' ? 'date' : 'datetime-local'}
          onChange={type}
          className={clsx(look, border, 'h-8 tabular-nums')}
        />
      ) : (
        <textarea
          {...shared}
          rows={1}
          onChange={type}
          className={clsx(
            look,
            border,
            'field-sizing-content max-h-40 min-h-8 resize-none',
            kind === 'json' && 'font-mono text-xs',
          )}
        />
      )}
      {(problem || written) && (
        <p id={noteId} className="mt-0.5 text-bad text-xs [overflow-wrap:anywhere]">
          {problem && <span className="inline-block first-letter:uppercase">{problem}.</span>}{' '}
          {written && t('Has characters that cannot be seen: {text}', { text: written })}
        </p>
      )}
    </div>
  );
}
