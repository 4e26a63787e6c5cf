import { useState } from 'react';
import type { OwnTimer } from 'vigil-client';
import { useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { ruleWords } from '../words/rule-words';
import { type TimerForm, timerChange, timerForm } from '../words/timer-form';
import { ownZone } from '../words/words';
import { Button } from './button';
import { Dialog, DialogHead } from './dialog';

const hows = () => ({
  daily: t('Every day'),
  weekdays: t('Monday to Friday'),
  weekly: t('Every week'),
  monthly: t('Every month'),
  interval: t('At an interval'),
});
const units = () => ({ M: t('minutes'), H: t('hours'), D: t('days') });
/** From Sunday, as that day was the first of 2023. */
const days = (): string[] => {
  const { format } = new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => format(Date.UTC(2023, 0, 1 + day)));
};
const look = 'h-9 min-w-0 rounded-lg border border-line bg-page px-2.5 text-sm focus-within:border-accent';

interface Part {
  form: TimerForm;
  set: (change: Partial<TimerForm>) => void;
}

/** Changes what a timer is about, and when it comes. */
export function TimerChange({ timer, close }: { timer: OwnTimer; close: () => void }) {
  const { act } = useVigil();
  const now = useNow();
  const [form, setForm] = useState(() => timerForm(timer));
  const [busy, setBusy] = useState(false);
  const set: Part['set'] = (change) => setForm({ ...form, ...change });
  const change = timerChange(timer, form, now);
  const problem = 'problem' in change ? change.problem : undefined;
  const isSame = Object.keys(change).length === 0;
  const save = async () => {
    if ('problem' in change || isSame) return;
    setBusy(true);
    if (await act.changeTimer(timer, change)) close();
    else setBusy(false);
  };
  return (
    <Dialog label={t('Change the timer')} close={close} className="w-[28rem] max-w-[calc(100vw-2rem)]">
      <DialogHead title={t('Change the timer')} close={close} />
      <form
        className="flex flex-col gap-3.5 px-5 py-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {timer.kind !== 'tool' && (
          <label className="flex flex-col gap-1 text-muted text-xs">
            {t('What')}
            <textarea
              dir="auto"
              rows={2}
              maxLength={10_000}
              value={form.text}
              onChange={({ target }) => set({ text: target.value })}
              className={`${look} field-sizing-content h-auto max-h-48 resize-none py-2 text-ink`}
            />
          </label>
        )}
        {form.how === 'once' ? (
          <label className="flex flex-col gap-1 text-muted text-xs">
            {t('When')}
            <input
              type="datetime-local"
              value={form.at}
              onChange={({ target }) => set({ at: target.value })}
              className={`${look} text-ink`}
            />
          </label>
        ) : (
          <Rule timer={timer} form={form} set={set} />
        )}
        <p role="status" className="min-h-4 text-bad text-xs">
          {problem}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{t('Keep it')}</Button>
          <Button look="strong" type="submit" disabled={busy || problem !== undefined || isSame}>
            {t('Change')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Rule({ timer, form, set }: Part & { timer: OwnTimer }) {
  const { how } = form;
  const zone = timer.timeZone && timer.timeZone !== ownZone && how !== 'interval' ? timer.timeZone : undefined;
  return (
    <fieldset className="flex flex-wrap items-center gap-2 text-sm">
      <legend className="mb-1 text-muted text-xs">{zone ? t('How often ({zone})', { zone }) : t('How often')}</legend>
      <select
        aria-label={t('How often')}
        value={how}
        onChange={({ target }) => set({ how: target.value as TimerForm['how'] })}
        className={look}
      >
        {timerForm(timer).how === 'same' && <option value="same">{ruleWords(timer)}</option>}
        {Object.entries(hows()).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      {how === 'weekly' && (
        <select
          aria-label={t('Day of the week')}
          value={form.weekday}
          onChange={({ target }) => set({ weekday: Number(target.value) })}
          className={look}
        >
          {days().map((name, day) => (
            <option key={name} value={day}>
              {name}
            </option>
          ))}
        </select>
      )}
      {how === 'monthly' && (
        <Amount label={t('Day of the month')} value={form.date} change={(date) => set({ date })} most={31} />
      )}
      {how === 'interval' && (
        <>
          <Amount label={t('How many')} value={form.every} change={(every) => set({ every })} most={1_000} />
          <select
            aria-label={t('Unit')}
            value={form.unit}
            onChange={({ target }) => set({ unit: target.value as TimerForm['unit'] })}
            className={look}
          >
            {Object.entries(units()).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </>
      )}
      {how !== 'interval' && how !== 'same' && (
        <input
          type="time"
          aria-label={t('Time')}
          value={form.time}
          onChange={({ target }) => set({ time: target.value })}
          className={look}
        />
      )}
    </fieldset>
  );
}

interface AmountProps {
  label: string;
  value: number;
  change: (value: number) => void;
  most: number;
}

const Amount = ({ label, value, change, most }: AmountProps) => (
  <input
    type="number"
    aria-label={label}
    min={1}
    max={most}
    value={Number.isNaN(value) ? '' : value}
    onChange={({ target }) => change(target.valueAsNumber)}
    className={`${look} w-20`}
  />
);
