import type { KeyboardEvent } from 'react';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';

export interface DenialProps {
  reason: string;
  change: (reason: string) => void;
  disabled: boolean;
  deny: () => void;
  /** Gives the call back with what is written, as a question. Undefined where that cannot be. */
  giveBack?: () => void;
  back: () => void;
}

/** The form that denies a call, with an optional reason. */
export function Denial({ reason, change, disabled, deny, giveBack, back }: DenialProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    // Escape would otherwise stop the run.
    event.preventDefault();
    if (event.key === 'Escape') back();
    else if (!disabled) deny();
  };
  return (
    <div data-row="" className="flex flex-wrap gap-2">
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just opened this field.
        autoFocus
        value={reason}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
        maxLength={2_000}
        aria-label={giveBack ? t('Reason or question, for the agent') : t('Reason, for the agent')}
        placeholder={giveBack ? t('Reason, or a question, for the agent') : t('Reason, for the agent (optional)')}
        className="h-8 min-w-48 grow rounded-lg border border-line bg-raised px-2.5 outline-none placeholder:text-faint focus:border-accent"
      />
      <Button look="danger" disabled={disabled} onClick={deny}>
        {t('Deny')}
      </Button>
      {giveBack && (
        <Button disabled={disabled || !reason.trim()} onClick={giveBack}>
          {t('Ask this first')}
        </Button>
      )}
      <Button look="quiet" onClick={back}>
        {t('Back')}
      </Button>
    </div>
  );
}
