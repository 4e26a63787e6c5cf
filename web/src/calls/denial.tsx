import type { KeyboardEvent } from 'react';
import { Button } from '../ui/button';

export interface DenialProps {
  reason: string;
  change: (reason: string) => void;
  disabled: boolean;
  deny: () => void;
  back: () => void;
}

/** No, and why. */
export function Denial({ reason, change, disabled, deny, back }: DenialProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed, both keys are about the proposal.
    if (event.nativeEvent.isComposing || (event.key !== 'Escape' && event.key !== 'Enter')) return;
    // Elsewhere Escape stops the run.
    event.preventDefault();
    if (event.key === 'Escape') back();
    else if (!disabled) deny();
  };
  return (
    <div className="flex flex-wrap gap-2">
      <input
        // biome-ignore lint/a11y/noAutofocus: it is what was just asked for.
        autoFocus
        value={reason}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
        maxLength={2_000}
        aria-label="Why not; the model reads it"
        placeholder="Why not? The model reads it. (optional)"
        className="h-8 min-w-48 grow rounded-lg border border-line bg-raised px-2.5 outline-none placeholder:text-faint focus:border-accent"
      />
      <Button look="danger" disabled={disabled} onClick={deny}>
        Deny
      </Button>
      <Button look="quiet" onClick={back}>
        Back
      </Button>
    </div>
  );
}
