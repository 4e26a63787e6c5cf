import type { ReactNode } from 'react';
import type { QuietHours as Hours } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';

const usual: Hours = { from: '22:00', to: '07:00' };

export interface QuietHoursProps {
  hours?: Hours;
  change: (hours: Hours | undefined) => void;
}

/** Sets the hours when the user is not disturbed. What happens then comes when they end. */
export function QuietHours({ hours, change }: QuietHoursProps) {
  const set = (to: Partial<Hours>) => {
    const next = { ...hours!, ...to };
    // A field that is being emptied has no time yet.
    if (next.from && next.to && next.from !== next.to) change(next);
  };
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{t('Quiet hours')}</legend>
      <label className="flex min-h-8 cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          checked={hours !== undefined}
          onChange={({ target }) => change(target.checked ? usual : undefined)}
          className="size-4 shrink-0 accent-fill"
        />
        {t('Do not disturb me every day. I hear of it afterwards')}
      </label>
      {hours && (
        <div className="flex flex-wrap items-center gap-2 pl-6.5">
          {rich('<from>From</from> <to>to</to>', {
            from: (label) => <Time label={label} value={hours.from} change={(from) => set({ from })} />,
            to: (label) => <Time label={label} value={hours.to} change={(to) => set({ to })} />,
          })}
        </div>
      )}
    </fieldset>
  );
}

function Time({ label, value, change }: { label: ReactNode; value: string; change: (to: string) => void }) {
  return (
    <label className="flex items-center gap-2">
      {label}
      <input
        type="time"
        defaultValue={value}
        onBlur={({ target }) => target.value !== value && change(target.value)}
        className="h-8 rounded-lg border border-line bg-page px-2"
      />
    </label>
  );
}
