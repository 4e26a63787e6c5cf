import { clsx } from 'clsx';
import { ShieldQuestion } from 'lucide-react';
import { approvalsAddress } from '../state/use-place';
import { useVigilState } from '../state/use-vigil';

/** The way to the approvals that the user decides for others. Shown while there are any, or they are open. */
export function ApprovalsLink({ current, chosen }: { current: boolean; chosen: () => void }) {
  const count = useVigilState(({ approvals }) => approvals.length);
  if (count === 0 && !current) return null;
  return (
    <a
      href={approvalsAddress}
      onClick={chosen}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'mx-2 mb-2 flex items-center gap-2 rounded-lg border border-wait-line bg-wait-ground px-2.5 py-2 text-sm',
        current && 'ring-1 ring-wait-line',
      )}
    >
      <ShieldQuestion aria-hidden className="size-4 shrink-0 text-wait" />
      <span className="grow font-medium">Approvals for others</span>
      <span className="text-wait tabular-nums">{count}</span>
    </a>
  );
}
