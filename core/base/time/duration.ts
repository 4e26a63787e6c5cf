/**
 * Milliseconds of each designator, before and after the `T`. Months and years have no fixed length, so they are
 * rejected.
 */
const dateUnits: Readonly<Record<string, number>> = { W: 604_800_000, D: 86_400_000 };
const timeUnits: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000 };

/**
 * Parses an ISO 8601 duration such as `PT1H`, `P1DT2H` or `P3W`.
 *
 * @returns milliseconds, or undefined for other text.
 */
export function parseDuration(text: string): number | undefined {
  const [, date, time] = /^P((?:\d+(?:\.\d+)?[WD])*)(?:T((?:\d+(?:\.\d+)?[HMS])+))?$/.exec(text) ?? [];
  if (!date && !time) return undefined;
  return sum(date ?? '', dateUnits) + sum(time ?? '', timeUnits);
}

function sum(text: string, units: Readonly<Record<string, number>>): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)([A-Z])/g)) total += Number(amount) * (units[unit ?? ''] ?? 0);
  return total;
}
