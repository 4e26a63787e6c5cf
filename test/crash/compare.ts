import type { Outcome } from './outcome';

/** What is not as in the clean run, in words; nothing where all is well. */
export interface Difference {
  lost: string[];
  doubled: string[];
}

/**
 * Compares a run in which something was lost with the clean one. Everything is there, once and in the same order.
 *
 * @param deaths how often a request to the model may be made again: one that was in flight died with its process.
 */
export function compare(clean: Outcome, other: Outcome, deaths: 0 | 1): Difference {
  const facts = tally(clean.facts, other.facts);
  const lost = facts.filter(({ before, after }) => after < before).map(({ line }) => line);
  const doubled = facts.filter(({ before, after }) => after > before).map(({ line }) => line);
  if (lost.length + doubled.length === 0 && clean.facts.join('\n') !== other.facts.join('\n')) {
    lost.push(`the order, which is now:\n${other.facts.join('\n')}`);
  }
  const requests = tally(clean.requests, other.requests);
  for (const { line, before, after } of requests) {
    if (after < before) lost.push(`a request to the model: ${line}`);
    if (after > before + deaths || (after > 0 && before === 0))
      doubled.push(`a request to the model (${after} for ${before}): ${line}`);
  }
  // A conversation has one request to the model in flight, but several searches and pages.
  const toModel = ({ requests: all }: Outcome) => all.filter((line) => line.startsWith('[')).length;
  const more = toModel(other) - toModel(clean);
  if (more > clean.conversations * deaths) doubled.push(`${more} more requests to the model than in the clean run`);
  return { lost, doubled };
}

/** Returns the lines that are not as often in the one list as in the other. */
export const differences = (expected: readonly string[], found: readonly string[]): string[] =>
  tally(expected, found).flatMap(({ line, before, after }) => {
    if (before === after) return [];
    return after > before ? [`${after - before} more: ${line}`] : [`${before - after} fewer: ${line}`];
  });

interface Count {
  line: string;
  before: number;
  after: number;
}

function tally(before: readonly string[], after: readonly string[]): Count[] {
  const count = (lines: readonly string[], line: string) => lines.filter((other) => other === line).length;
  return [...new Set([...before, ...after])].map((line) => ({
    line,
    before: count(before, line),
    after: count(after, line),
  }));
}
