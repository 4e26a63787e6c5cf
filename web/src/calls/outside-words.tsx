import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { Callback } from 'vigil-client';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { reasonWords } from '../words/sources';

export interface OutsideWordsProps {
  id: string;
  callback: Pick<Callback, 'reason' | 'sources' | 'asker'>;
  /** Only the conversation's owner may. */
  canTrust: boolean;
}

/** Says why an approval is asked: the agent has read words that are not the user's. The user can declare them as trusted. */
export function OutsideWords({ id, callback, canTrust }: OutsideWordsProps) {
  const { act } = useVigil();
  const [state, setState] = useState<'open' | 'busy' | 'trusted'>('open');
  const reason = reasonWords(callback);
  async function trust(): Promise<void> {
    setState('busy');
    setState((await act.trust(id)) ? 'trusted' : 'open');
  }
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-xs">
      <ShieldAlert aria-hidden className="size-4 shrink-0 text-wait" />
      <p className="min-w-0 grow basis-60">
        {state === 'trusted'
          ? t('You trust what it has read. Its next calls are not asked about for this reason.')
          : canTrust
            ? t('{reason} Did you?', { reason })
            : reason}
      </p>
      {canTrust && state !== 'trusted' && (
        <Button look="quiet" onClick={() => void trust()} disabled={state === 'busy'}>
          {t('Trust what it has read')}
        </Button>
      )}
    </div>
  );
}
