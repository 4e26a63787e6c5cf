import { clsx } from 'clsx';
import { House } from 'lucide-react';
import { useWaiting } from '../hooks/use-own';
import { homeAddress } from '../hooks/use-place';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';

/** The way to the home, with the number of what waits for the user. */
export function HomeLink({ current, chosen }: { current: boolean; chosen: () => void }) {
  const count = useWaiting().waiting.length;
  return (
    <a
      href={homeAddress}
      onClick={chosen}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'mx-2 mb-2 flex items-center gap-2 rounded-lg px-2.5 py-2 text-sm',
        current ? 'bg-raised font-medium shadow-sm ring-1 ring-line' : 'hover:bg-line/50',
      )}
    >
      <House aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="grow">{t('Home')}</span>
      {count > 0 && (
        <span className="font-semibold text-wait tabular-nums">
          {rich('{count, plural, one {#<unseen> waits for you</unseen>} other {#<unseen> wait for you</unseen>}}', {
            count,
            unseen: (text) => <span className="sr-only">{text}</span>,
          })}
        </span>
      )}
    </a>
  );
}
