let format: Intl.NumberFormat | undefined;

/** Formats cents for people: `-$1,234.56`. */
export function inMoney(cents: number): string {
  // Created at first use, because loading locale data would slow down every cold start.
  format ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  return format.format(cents / 100);
}
