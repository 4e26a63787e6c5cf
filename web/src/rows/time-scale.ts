/** A period in which something works, or only waits. In milliseconds. */
export interface Stretch {
  from: number;
  to: number;
  works: boolean;
}

/** A part of the line. A `broken` one is not to scale; its length is a label. */
interface Piece {
  from: number;
  to: number;
  /** Positions on the line, from 0 to 1. */
  start: number;
  end: number;
  broken: boolean;
}

export interface TimeScale {
  pieces: Piece[];
  /** Returns the position of a moment, from 0 to 1. */
  at(ms: number): number;
}

const breakShare = 0.16;
const shareOfBreaks = 0.55;
const leastShare = 0.012;
const leastBreakMs = 400;

/**
 * Returns a scale on which two seconds of work are visible next to three days of sleep. Work is drawn to scale, and
 * long waits are breaks of a fixed width. Work that is far longer than the rest is a break, too.
 */
export function timeScale(stretches: readonly Stretch[]): TimeScale {
  const edges = [...new Set(stretches.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const parts = edges.slice(1).map((to, index) => {
    const from = edges[index]!;
    return { from, to, works: stretches.some((one) => one.works && one.from <= from && one.to >= to) };
  });
  const worked = parts.reduce((sum, { from, to, works }) => sum + (works ? to - from : 0), 0);
  const isLong = ({ from, to, works }: Stretch): boolean => {
    const ms = to - from;
    if (works) return ms > 10_000 && worked > ms && ms > 10 * (worked - ms);
    return ms > Math.max(worked, leastBreakMs);
  };
  // A break makes sense only next to other parts.
  const broken = parts.map((part) => parts.length > 1 && isLong(part));
  return scaleOf(parts, broken);
}

function scaleOf(parts: readonly Stretch[], broken: readonly boolean[]): TimeScale {
  const breaks = broken.filter(Boolean).length;
  const eachBreak = breaks === parts.length ? 1 / breaks : Math.min(breakShare, shareOfBreaks / breaks);
  const drawn = parts.filter((_, index) => !broken[index]);
  const drawnMs = drawn.reduce((sum, { from, to }) => sum + to - from, 0);
  const least = Math.min(leastShare, 0.3 / drawn.length);
  const room = 1 - breaks * eachBreak - drawn.length * least;
  let start = 0;
  const pieces = parts.map(({ from, to }, index): Piece => {
    const width = broken[index] ? eachBreak : least + (room * (to - from)) / drawnMs;
    const piece = { from, to, start, end: start + width, broken: broken[index]! };
    start = piece.end;
    return piece;
  });
  return { pieces, at: (ms) => placeOn(pieces, ms) };
}

function placeOn(pieces: readonly Piece[], ms: number): number {
  const piece = pieces.find(({ to }) => ms <= to);
  if (!piece) return pieces.length === 0 ? 0 : 1;
  const share = Math.max(0, (ms - piece.from) / (piece.to - piece.from));
  return piece.start + share * (piece.end - piece.start);
}
