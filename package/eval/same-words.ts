/** Ids and instants, which differ each time that the same thing happens. */
const differing = new RegExp(
  [
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    // Of conversations, runs, their calls and their timers.
    '\\b[a-z](?:_\\d{6})?_[0-9a-f]{25,32}(?:\\.[0-9a-f]{2,8})*',
    '\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d)?',
  ].join('|'),
  'g',
);

/** Replaces ids and instants by numbers, `#1`. The same one stays the same within a text. */
export function withoutIdsAndTimes(text: string): string {
  const numbers = new Map<string, number>();
  return text.replace(differing, (found) => {
    if (!numbers.has(found)) numbers.set(found, numbers.size + 1);
    return `#${numbers.get(found)}`;
  });
}
