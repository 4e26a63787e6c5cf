let currencies: Set<string> | undefined;

/** Read when it is needed: React Native, which has no such list, may import this file. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has(code);
}

/**
 * Returns the currency of a field whose name says that it counts cents of it, as `amount_usd_cents` does. A name that says only `cents`
 * does not say of which currency: the tool does (`approval.money`).
 */
export function currencyIn(name: string): string | undefined {
  const code = /(?:^|_)([a-z]{3})_cents$/.exec(name)?.[1]?.toUpperCase();
  return code && isCurrency(code) && decimalsOf(code) === 2 ? code : undefined;
}

/** ISO 4217's currencies that are not divided by a hundred. Engines differ, and an amount must be the same on a server and in a browser. */
const divided: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Returns the number of decimals of an amount: 2 in dollars, none in yen. */
export function decimalsOf(currency: string): number {
  const [decimals = 2] = Object.entries(divided).find(([, codes]) => codes.includes(currency)) ?? [];
  return Number(decimals);
}

function formatOf(currency: string): Intl.NumberFormat {
  const digits = decimalsOf(currency);
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...exactly });
}

/** Returns the decimal digits of an amount of the currency's smallest unit: 90000 of `USD` is `900.00`. */
export function digitsOf(units: number, currency: string): `${number}` {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
  const whole = digits.length - decimals;
  const text = `${units < 0 ? '-' : ''}${digits.slice(0, whole)}${decimals > 0 ? `.${digits.slice(whole)}` : ''}`;
  return text as `${number}`;
}

/** Returns an amount of the currency's smallest unit as people write it: 90000 of `USD` is `$900.00`. */
export const amount = (units: number, currency: string): string => formatOf(currency).format(digitsOf(units, currency));
