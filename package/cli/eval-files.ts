import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../../core/base/text/errors';
import { exportsOf } from '../../infra/bundling/load-file';
import { problemOf } from '../../local/build/problem';
import type { Eval } from '../eval/define';

/** Returns these files, by default those of `evals/`. @throws ConfigurationError if there is none. */
export function evalFiles(files: string[]): string[] {
  if (files.length > 0) return files;
  const found = existsSync('evals') ? readdirSync('evals').filter((file) => file.endsWith('.eval.ts')) : [];
  if (found.length > 0) return found.sort().map((file) => join('evals', file));
  throw new ConfigurationError('There is no eval here: write evals/<name>.eval.ts, or name a file.');
}

/** Returns the evals of these files. @throws ConfigurationError in one line. */
export async function evalsIn(files: string[]): Promise<Eval[]> {
  const found: Eval[] = [];
  for (const file of files) found.push(...(await evalsOf(file)));
  const names = found.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice) throw new ConfigurationError(`Two evals have the name "${twice}": a report could not tell them apart.`);
  return found;
}

export async function evalsOf(file: string): Promise<Eval[]> {
  const path = resolve(file);
  if (!existsSync(path)) throw new ConfigurationError(`${file} does not exist.`);
  const exported = await exportsOf(path).catch((error) => {
    throw new ConfigurationError(problemOf(error, process.cwd()));
  });
  const found = Object.values(exported).filter((one): one is Eval => (one as Partial<Eval>)?.kind === 'eval');
  if (found.length > 0) return [...new Set(found)];
  throw new ConfigurationError(`${file} exports no eval: \`export default defineEval({ … })\`.`);
}
