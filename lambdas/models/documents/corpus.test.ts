import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare, corpus, corpusFolder, kindOf, type Share } from '../../../test/support/corpus';
import { readTogether } from '../../../test/support/document-reader';
import type { DocumentToRead } from './read-document';

const readerOf: Record<string, DocumentToRead['kind']> = { pdf: 'pdf', html: 'html', eml: 'mail', text: 'text' };
const expected = Object.entries(corpus());
const answers = readTogether(
  expected.map(([name]) => ({ kind: readerOf[kindOf(name)] ?? 'office', file: join(corpusFolder, name) })),
);
const results = expected.map(([name, one], at) => {
  const answer = answers[at]!;
  return { name, kind: kindOf(name), ...compare(one, 'text' in answer ? answer.text : '') };
});

const leastShares = { words: 0.99, numbers: 1, cells: 1 };
type What = keyof typeof leastShares;
const whats = Object.keys(leastShares) as What[];

function shareOf(some: typeof results, what: What): number {
  const sum = (count: (share: Share) => number) => some.reduce((total, one) => total + count(one[what]), 0);
  const all = sum((share) => share.all);
  return all === 0 ? 1 : 1 - sum((share) => share.lost.length) / all;
}

/** Names each file that loses something. */
const lossesOf = (some: typeof results, what: What): string[] =>
  some.flatMap(({ name, [what]: { lost } }) => (lost.length > 0 ? `${name} loses ${what}: ${lost.join(' | ')}` : []));

test('the corpus has 150 files of eight programs, and a file for each entry (R272)', () => {
  const files = readdirSync(corpusFolder, { withFileTypes: true }).flatMap((one) => (one.isFile() ? one.name : []));
  const documents = files.filter((name) => !['README.md', 'expected.json'].includes(name));
  expect(documents.sort()).toEqual(expected.map(([name]) => name).sort());
  expect(documents.length).toBeGreaterThanOrEqual(150);
  const programs = new Set(expected.map(([, { program }]) => program.split(' ')[0]));
  expect(programs.size).toBeGreaterThanOrEqual(8);
});

const kinds = ['all kinds', ...new Set(results.map(({ kind }) => kind))];

test.each(kinds)('of %s, 99 %% of the words and all numbers and cells arrive (R272)', (kind) => {
  const some = results.filter((one) => kind === 'all kinds' || one.kind === kind);
  const shares = Object.fromEntries(whats.map((what) => [what, shareOf(some, what)]));
  if (process.env.VIGIL_SHARES_SHOWN)
    console.log(kind, shares, whats.flatMap((what) => lossesOf(some, what)).join('\n'));
  const tooLow = whats.filter((what) => shares[what]! < leastShares[what]);
  expect(tooLow.flatMap((what) => [`${what}: ${shares[what]}`, ...lossesOf(some, what)])).toEqual([]);
});
