import type { Callback } from 'vigil-client';
import type { StandingApproval, StandingLimits, StandingOffer } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { money, moneyTyped } from './amounts';
import { type Field, formIn, type Typed } from './fields';
import { plain } from './words';

const number = (name: string, label: string, asked: number, maximum: number): Field => ({
  name,
  label,
  kind: 'number',
  asked,
  text: String(asked),
  mayBeEmpty: false,
  isBlank: false,
  rules: { type: 'integer', minimum: 1, maximum },
});

/** Returns the form of what a person allows for later, from an approval's card: as little as makes sense at first. */
export function standingForm({ standing, fields = [], arguments: args }: Callback): Field[] {
  const { mostCalls, mostDays, money: amounts = {} } = standing as StandingOffer;
  const calls = Math.min(3, mostCalls);
  const asked = new Map(Object.entries((args ?? {}) as Record<string, number>));
  return [
    number('calls', t('How many'), calls, mostCalls),
    number('days', t('For so many days'), mostDays, mostDays),
    ...Object.entries(amounts).flatMap(([name, currency]) => {
      const label = fields.find((one) => one.name === name)?.label ?? plain(name);
      const each = asked.get(name) ?? 0;
      return [
        amountField(`perCall ${name}`, t('{label}, at most', { label }), each, currency),
        amountField(`inAll ${name}`, t('{label}, in all', { label }), each * calls, currency),
      ];
    }),
  ];
}

const amountField = (name: string, label: string, asked: number, currency: string): Field => {
  const text = moneyTyped(asked, currency);
  const rules = { type: 'integer', minimum: 1 };
  return { name, label, kind: 'money', currency, asked, text, rules, mayBeEmpty: false, isBlank: false };
};

/** Returns the limits that a person has entered; undefined while something is wrong with them. */
export function limitsIn(callback: Callback, typed: Typed): StandingLimits | undefined {
  const { values } = formIn(standingForm(callback), typed);
  return values && limitsOf(values);
}

function limitsOf(values: Record<string, unknown>): StandingLimits {
  const amounts = Object.keys(values).flatMap((name) =>
    name.startsWith('perCall ') ? [name.replace('perCall ', '')] : [],
  );
  return {
    calls: values.calls as number,
    days: values.days as number,
    ...(amounts.length > 0 && {
      money: Object.fromEntries(
        amounts.map((name) => [
          name,
          { perCall: values[`perCall ${name}`] as number, inAll: values[`inAll ${name}`] as number },
        ]),
      ),
    }),
  };
}

/** Returns the limits of a standing approval, and what is used of them, in words. */
export function limitWords({ money: amounts = {}, calls, uses }: StandingApproval): string {
  const spent = (name: string) => uses.reduce((sum, one) => sum + (one.amounts?.[name] ?? 0), 0);
  const sums = Object.entries(amounts).map(([name, { perCall, inAll, currency }]) =>
    t('at most {each} each, {spent} of {sum} used', {
      each: money(perCall, currency),
      spent: money(spent(name), currency),
      sum: money(inAll, currency),
    }),
  );
  const made = t('{made} of {calls, plural, one {# call} other {# calls}} made', { made: uses.length, calls });
  return [...sums, made].join(' · ');
}
