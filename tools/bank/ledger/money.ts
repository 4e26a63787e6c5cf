let format: Intl.NumberFormat | undefined;

/** Money is counted in whole cents everywhere; this is how people read it: `-$1,234.56`. */
export function inMoney(cents: number): string {
  // Made at first use: it loads the data of a language, which costs each cold start of a function that never shows money.
  format ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  return format.format(cents / 100);
}
