import { ClockArrowUp, UserRoundPlus, X } from 'lucide-react';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { Button } from '../ui/button';
import type { Verdict } from './together';

interface SelectionBarProps {
  count: number;
  /** How many of them are approvals. */
  approvals: number;
  /** How many of them can be assigned. */
  assignable: number;
  none: () => void;
  choose: (what: Verdict | 'snooze' | 'assign') => void;
}

/** What can be done with all that is selected. It stays at the bottom, where a thumb is. */
export const SelectionBar = ({ count, approvals, assignable, none, choose }: SelectionBarProps) => (
  <div
    data-row=""
    role="toolbar"
    aria-label={t('Selected')}
    className="sticky bottom-0 z-10 mt-2 flex flex-wrap items-center gap-1.5 rounded-xl border border-accent bg-raised px-3 py-2 text-sm shadow-lg pointer-coarse:[&_button]:min-h-11"
  >
    <span role="status" className="mr-auto font-medium tabular-nums">
      {rich('{count} <small>selected</small>', {
        count,
        small: (text) => <span className="max-sm:sr-only">{text}</span>,
      })}
    </span>
    <Button
      look="quiet"
      icon
      className="pointer-coarse:size-11"
      onClick={none}
      aria-label={t('Select none')}
      title={t('Select none (Esc)')}
    >
      <X aria-hidden className="size-4" />
    </Button>
    <Button
      icon
      className="pointer-coarse:size-11"
      onClick={() => choose('snooze')}
      aria-label={t('Snooze what is selected')}
      title={t('Snooze (S)')}
    >
      <ClockArrowUp aria-hidden className="size-4" />
    </Button>
    {assignable > 0 && (
      <Button
        icon
        className="pointer-coarse:size-11"
        onClick={() => choose('assign')}
        aria-label={t('Assign {count}…', { count: assignable })}
        title={t('Assign {count}…', { count: assignable })}
      >
        <UserRoundPlus aria-hidden className="size-4" />
      </Button>
    )}
    <Button disabled={approvals === 0} onClick={() => choose('deny')}>
      {t('Deny {count}…', { count: approvals })}
    </Button>
    <Button look="strong" disabled={approvals === 0} onClick={() => choose('approve')}>
      {t('Approve {count}…', { count: approvals })}
    </Button>
  </div>
);
