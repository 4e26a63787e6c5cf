const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Money is counted in whole cents everywhere; this is how people read it: `-$1,234.56`. */
export const inMoney = (cents: number): string => format.format(cents / 100);
