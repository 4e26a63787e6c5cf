import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { Source } from '../../../core/state/sources';
import { useVigil } from '../hooks/use-vigil';
import { Button } from '../ui/button';
import { sourceWords } from '../words/sources';

export interface OutsideWordsProps {
  id: string;
  sources: readonly Source[];
  /** Only the conversation's owner may. */
  canTrust: boolean;
}

/** Says why an approval is asked: the agent has read words that are not the user's. The user can declare them as trusted. */
export function OutsideWords({ id, sources, canTrust }: OutsideWordsProps) {
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
          : `The agent has read words from ${sourceWords(sources)}, which may have asked for this.${canTrust ? ' Did you?' : ''}`}
      </p>
      {canTrust && state !== 'trusted' && (
        <Button look="quiet" onClick={() => void trust()} disabled={state === 'busy'}>
          Trust what it has read
        </Button>
      )}
    </div>
  );
}
