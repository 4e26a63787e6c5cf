/** Returns an amount of the currency's smallest unit in plain digits: 1240 of `EUR` is `12.40`, 900 of `JPY` is `900`. */
export function inDigits(units: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals = format.resolvedOptions().maximumFractionDigits!;
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.length - decimals;
  return decimals ? `${digits.slice(0, whole)}.${digits.slice(whole)}` : digits;
}

/** Returns an amount with its currency, as reports and models write it: `12.40 EUR`. */
export const inMoney = (units: number, currency: string): string => `${inDigits(units, currency)} ${currency}`;

/** Returns what is wrong with a currency's code, for the model. */
export const currencyProblem = (code: string | undefined): string | undefined =>
  code === undefined || Intl.supportedValuesOf('currency').includes(code)
    ? undefined
    : `${code} is no currency: use a code like EUR.`;
