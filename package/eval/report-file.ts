import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Variant } from './compare';
import type { Played, Report } from './report';

/** Where the result of a repository is committed. */
const committedResult = 'evals/results.json';

const Used = z.object({ steps: z.number(), tokens: z.number(), costMicrodollars: z.number() });
const Entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('said'), by: z.string(), text: z.string() }),
  z.looseObject({
    kind: z.literal('call'),
    tool: z.string(),
    arguments: z.unknown(),
    outcome: z.string(),
    answer: z.unknown().optional(),
    asked: z.literal(true).optional(),
  }),
]);
const Trial = z.looseObject({
  eval: z.string(),
  case: z.string(),
  trial: z.number(),
  model: z.string().optional(),
  holds: z.boolean(),
  problem: z.string().optional(),
  leftOut: z.array(z.string()).optional(),
  scores: z.array(
    z.looseObject({
      name: z.string(),
      score: z.number().min(0).max(1),
      why: z.string(),
      holds: z.boolean().optional(),
    }),
  ),
  used: z.looseObject(Used.shape),
  transcript: z.array(Entry).optional(),
});
const ReportFile = z.looseObject({ played: z.array(Trial) });

/** What a comparison needs of a report. */
type PlayedReport = Pick<Report, 'played'>;

/** Reads a report that `vigil eval --json` has written. @throws ConfigurationError in one line. */
export function readReport(file: string): PlayedReport {
  if (!existsSync(file)) throw new ConfigurationError(`${file} does not exist.`);
  return parsed(readFileSync(file, 'utf8'), file);
}

/**
 * Reads a report by its file, or as it is committed: `main` is `evals/results.json` of that branch.
 *
 * @throws ConfigurationError in one line.
 */
export function readBaseline(place: string): PlayedReport {
  if (existsSync(place)) return readReport(place);
  const at = `${place}:./${committedResult}`;
  let text: string;
  try {
    text = execFileSync('git', ['show', '--end-of-options', at], {
      encoding: 'utf8',
      maxBuffer: 1_000_000_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    throw new ConfigurationError(
      `--baseline ${place}: there is no such file, and Git has no ${committedResult} there: write one with --json ${committedResult}, and commit it.`,
    );
  }
  return parsed(text, at);
}

function parsed(text: string, from: string): PlayedReport {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ConfigurationError(`${from} is no JSON: name a file that \`vigil eval --json\` has written.`);
  }
  const { data, error } = ReportFile.safeParse(json);
  if (data) return data as unknown as PlayedReport;
  const [issue] = error.issues;
  throw new ConfigurationError(
    `${from} is no report of \`vigil eval --json\`: ${issue!.path.map(String).join('.') || 'it'}: ${issue!.message}.`,
  );
}

/** Returns the sides of a comparison: each report, and in it each model. */
export function variantsOf(reports: { name: string; report: PlayedReport }[]): Variant[] {
  return reports.flatMap(({ name, report: { played } }) => {
    const models = [...new Set(played.map(({ model }) => model))];
    return models.map((model) => ({
      name: [
        ...(reports.length > 1 || model === undefined ? [name] : []),
        ...(model === undefined ? [] : [model]),
      ].join(', '),
      played: played.filter((one: Played) => one.model === model),
    }));
  });
}

/** Returns short names of files: their last parts, or the whole paths if these are the same. */
export function shortNames(files: string[]): string[] {
  const short = files.map((file) => basename(file, '.json'));
  return new Set(short).size === files.length ? short : files;
}
