/** Called by a tool, to fail deep inside, in another file. */
export function weightOf(parcel: string): number {
  return kilogramsOf(readings.get(parcel.length));
}

const readings = new Map<number, { grams: number }>();

function kilogramsOf(reading: { grams: number } | undefined): number {
  if (!reading) throw new Error('The scales show nothing.');
  return reading.grams / 1_000;
}
