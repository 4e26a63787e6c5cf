import { existsSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import type { BuildFailure, Location, Message } from 'esbuild';
import { ConfigurationError } from '../../core/base/text/errors';
import { isCompiled } from './compiled';
import { pathInApp, root } from './entries';

/** Returns esbuild's failure as one line: the file and the line, the problem, and what to do about it. */
export function buildProblem({ errors, message }: Partial<BuildFailure>): ConfigurationError {
  const [first] = errors ?? [];
  if (!first) return new ConfigurationError(String(message).split('\n')[0]);
  const others = errors!.length > 1 ? ` (1 of ${errors!.length} errors)` : '';
  return new ConfigurationError(`${placeOf(first)}${wordsOf(first)}${others}`);
}

/**
 * esbuild sees a definition with other line numbers than its file has. The line is then found by the text that the
 * message quotes.
 */
function placeOf({ location, text }: Message): string {
  if (!location) return '';
  const { line, column, lineText } = location;
  const path = fileOf(location);
  // A list of agents that Vigil writes is in no file.
  if (!existsSync(path)) return '';
  const file = pathInApp(path);
  const lines = readFileSync(path, 'utf8').split('\n');
  if (lines[line - 1] === lineText) return `${file}:${line}:${column + 1}: `;
  const quoted = /"([^"]+)"$|([^\\/]+\.node)$/.exec(text)?.slice(1).find(Boolean) ?? lineText;
  const found = lines.findIndex((line) => line.includes(quoted));
  return found < 0 ? `${file}: ` : `${file}:${found + 1}: `;
}

/** Plugins put their namespace before the path, as in `definition:/the/file.ts`. */
const fileOf = ({ file }: Location): string => resolve(root, file.replace(/^[a-z-]{2,}:(?=.)/, ''));

function wordsOf({ text, location }: Message): string {
  const [, path] = /^Could not resolve "(.+)"$/.exec(text) ?? [];
  if (path) return unresolved(path, location ? fileOf(location) : join(root, 'package.json'));
  if (text.startsWith('No loader is configured for ".node" files'))
    return `${text.split(': ')[1]} is a native addon, which cannot be bundled into a function: use a package without native code.`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function unresolved(path: string, importer: string): string {
  if (/^[./]/.test(path)) return `"${path}" does not exist.`;
  const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
  if (isBuiltin(name)) return `Node has no module "${path}".`;
  if (name === ownName() && !isCompiled(__filename))
    return `"${path}" is not a package: import files of this repository by relative paths.`;
  if (!isInstalled(name, importer)) return `the package "${name}" is not installed: npm install ${name}`;
  return `the package "${name}" has no "${path}".`;
}

/** Whether the package is installed for the file. pnpm keeps the packages that Vigil needs from the app. */
const isInstalled = (name: string, importer: string): boolean =>
  (createRequire(importer).resolve.paths(name) ?? []).some((folder) => existsSync(join(folder, name)));

const ownName = () => (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name;
