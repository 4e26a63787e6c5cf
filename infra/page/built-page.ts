import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../../core/text/errors';
import { root } from '../bundling/entries';

/**
 * Returns the folder of the built page to host: that of Vigil's own page, or another one.
 *
 * @throws ConfigurationError if the page is not built.
 */
export function builtPage(page: boolean | string = false): string | undefined {
  if (page === false) return undefined;
  const folder = page === true ? join(root, 'web/dist') : resolve(page);
  if (existsSync(join(folder, 'index.html'))) return folder;
  const how = page === true ? 'run npm run build:web, or deploy without it (VIGIL_PAGE=none)' : 'build it first';
  throw new ConfigurationError(`The page is not built: ${folder} has no index.html: ${how}.`);
}
