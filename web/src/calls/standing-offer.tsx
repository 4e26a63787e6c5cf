import type { Callback } from 'vigil-client';
import { t } from '../languages/catalogue';
import { formIn, type Typed } from '../words/fields';
import { standingForm } from '../words/standing';
import { ArgumentField } from './argument-field';

export interface StandingOfferProps {
  callback: Callback;
  typed: Typed;
  change: (typed: Typed) => void;
}

/** The form of what a person allows for later with an approval: within limits that they see. */
export function StandingOfferForm({ callback, typed, change }: StandingOfferProps) {
  const form = standingForm(callback);
  const { problems } = formIn(form, typed);
  const { mayDiffer } = callback.standing!;
  const differ = (callback.fields ?? []).filter(({ name }) => mayDiffer.includes(name)).map(({ label }) => label);
  return (
    <fieldset className="flex flex-col gap-2 rounded-lg border border-wait-line p-3">
      <legend className="px-1 font-medium text-sm">{t('Allow later ones, too')}</legend>
      <p className="text-muted text-xs">
        {differ.length > 0
          ? t('Calls with the same values are then made without asking you, up to these limits; {names} may differ.', {
              names: differ.join(', '),
            })
          : t('Calls with the same values are then made without asking you, up to these limits.')}{' '}
        {t('After words of strangers you are asked all the same.')}{' '}
        {t('You find and end it under “Who may do what for me” in your menu.')}
      </p>
      <div className="grid gap-x-3 gap-y-2 sm:grid-cols-2">
        {form.map((field) => (
          <ArgumentField
            key={field.name}
            field={field}
            value={typed[field.name] ?? field.text}
            problem={problems.get(field.name)}
            change={(to) => change({ ...typed, [field.name]: to })}
          />
        ))}
      </div>
    </fieldset>
  );
}
