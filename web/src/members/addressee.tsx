import { clsx } from 'clsx';
import { Bot, Users } from 'lucide-react';
import { useId } from 'react';
import { t } from '../languages/catalogue';

export type Addressee = 'agent' | 'people';

interface AddresseeChoiceProps {
  to: Addressee;
  change: (to: Addressee) => void;
}

/** Above a message: whether it is for the agent, which answers it, or for the people only. */
export function AddresseeChoice({ to, change }: AddresseeChoiceProps) {
  const name = useId();
  const choices = [
    ['agent', t('To the agent'), Bot],
    ['people', t('To people only'), Users],
  ] as const;
  return (
    <fieldset className="flex gap-1 px-1 pt-0.5 pb-1">
      <legend className="sr-only">{t('Whom the message is for')}</legend>
      {choices.map(([value, words, Icon]) => (
        <label
          key={value}
          className={clsx(
            'flex min-h-6 cursor-pointer items-center gap-1.5 rounded-md px-2 text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent [@media(hover:none)]:min-h-11',
            to === value ? 'bg-line/60 font-medium text-ink' : 'text-muted hover:bg-line/40',
          )}
        >
          <input type="radio" name={name} checked={to === value} onChange={() => change(value)} className="sr-only" />
          <Icon aria-hidden className="size-3.5" />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
