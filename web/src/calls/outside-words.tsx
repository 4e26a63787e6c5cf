import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';

export interface OutsideWordsProps {
  id: string;
  /** The reason why the approval is asked, in the server's words. */
  reason: string;
  /** Only the conversation's owner may. */
  canTrust: boolean;
}

/** Says why an approval is asked: the agent has read words that are not the user's. The user can declare them as trusted. */
export function OutsideWords({ id, reason, canTrust }: OutsideWordsProps) {
  const { act } = useVigil();
  const [state, setState] = useState<'open' | 'busy' | 'trusted'>('open');
  async function trust(): Promise<void> {
    setState('busy');
    setState((await act.trust(id)) ? 'trusted' : 'open');
  }
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-xs">
      <ShieldAlert aria-hidden className="size-4 shrink-0 text-wait" />
      <p className="min-w-0 grow basis-60">
        {state === 'trusted'
          ? 'You trust what it has read. Its next calls are not asked about for this reason.'
          : `${reason}${canTrust ? ' Did you?' : ''}`}
      </p>
      {canTrust && state !== 'trusted' && (
        <Button look="quiet" onClick={() => void trust()} disabled={state === 'busy'}>
          {t('Trust what it has read')}
        </Button>
      )}
    </div>
  );
}
