import { CloudOff } from 'lucide-react';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';

/** Appears only without a connection. */
export function ConnectionBar() {
  const { reconnect } = useVigil();
  const lost = useVigilState(({ connection }) => connection === 'lost');
  const queued = useVigilState(({ unsent }) => unsent.filter(({ status }) => status !== 'refused').length);
  return (
    <div role="status">
      {lost && (
        <div className="flex items-center justify-center gap-2 border-b border-wait-line bg-wait-ground px-4 py-1.5 text-sm text-wait">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          <span>
            {t(
              '{count, plural, =0 {Offline. This page may be out of date.} one {Offline. This page may be out of date; # message will be sent on reconnect.} other {Offline. This page may be out of date; # messages will be sent on reconnect.}}',
              { count: queued },
            )}
          </span>
          <button type="button" onClick={reconnect} className="font-medium underline underline-offset-2">
            {t('Connect now')}
          </button>
        </div>
      )}
    </div>
  );
}
