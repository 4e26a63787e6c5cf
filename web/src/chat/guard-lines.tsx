import { clsx } from 'clsx';
import { ShieldCheck } from 'lucide-react';
import type { GuardVerdict } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { guardLines } from '../words/guards';

/** What guards have changed about a message or a call, quietly below it. */
export function GuardLines({
  guards,
  isReply,
  className,
}: {
  guards: readonly GuardVerdict[] | undefined;
  isReply?: boolean;
  className?: string;
}) {
  const lines = guardLines(guards, { isReply });
  if (lines.length === 0) return null;
  return (
    <ul aria-label={t('Guards')} className={clsx('flex flex-col gap-0.5 text-faint text-xs', className)}>
      {lines.map((line) => (
        <li key={line} className="flex items-baseline gap-1.5">
          <ShieldCheck aria-hidden className="size-3 shrink-0 translate-y-0.5" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{line}</span>
        </li>
      ))}
    </ul>
  );
}
