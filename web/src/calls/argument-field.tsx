import { useId } from 'react';
import { type Field, inDollars, withHidden } from '../words/fields';
import { plain } from '../words/words';

const look =
  'w-full rounded-lg border border-line bg-raised px-2.5 py-[5px] outline-none focus:border-accent [overflow-wrap:anywhere]';

interface ArgumentFieldProps {
  field: Field;
  /** What the argument is, as the tool says: an account number, a name. */
  what?: string;
  change: (to: Field) => void;
}

/** The field of one argument. Its input depends on the type of the value. Characters that cannot be seen are written out below. */
export function ArgumentField({ field, what, change }: ArgumentFieldProps) {
  const id = useId();
  const { name, kind, text, on } = field;
  const hint = inDollars(field) ?? what;
  const written = withHidden(text);
  const hiddenId = useId();
  if (kind === 'flag')
    return (
      <label className="flex items-center gap-2 self-end py-1">
        <input type="checkbox" checked={on} onChange={({ target }) => change({ ...field, on: target.checked })} />
        {plain(name)}
      </label>
    );
  return (
    <div className={kind === 'json' || text.length > 60 ? 'sm:col-span-2' : undefined}>
      <label htmlFor={id} className="mb-0.5 flex justify-between gap-2 text-muted text-xs">
        <span>
          {plain(name)}
          {kind === 'json' && ' (JSON)'}
        </span>
        {hint && <span className="font-medium text-ink tabular-nums">{hint}</span>}
      </label>
      {kind === 'number' ? (
        <input
          id={id}
          inputMode="decimal"
          value={text}
          onChange={({ target }) => change({ ...field, text: target.value })}
          className={`${look} h-8 tabular-nums`}
        />
      ) : (
        <textarea
          id={id}
          rows={1}
          value={text}
          onChange={({ target }) => change({ ...field, text: target.value })}
          aria-describedby={written && hiddenId}
          className={`${look} field-sizing-content max-h-40 min-h-8 resize-none ${kind === 'json' ? 'font-mono text-xs' : ''}`}
        />
      )}
      {written && (
        <p id={hiddenId} className="mt-0.5 text-bad text-xs [overflow-wrap:anywhere]">
          Has characters that cannot be seen: {written}
        </p>
      )}
    </div>
  );
}
