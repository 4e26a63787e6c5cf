import { dirname, join, normalize } from 'node:path';

const importing = /(?:from|import\(|require\(|jest\.mock\()\s*'(\.[^']+)'/g;

/** Returns the files that a file with this source imports by their paths, from the root of both, without their extensions. */
export const importsIn = (file: string, source: string): string[] =>
  [...source.matchAll(importing)].map(([, path]) => normalize(join(dirname(file), path!)));
