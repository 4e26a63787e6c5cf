import { join } from 'node:path';
import { builtPage } from '../../local/npm-start/page';
import synthesizeOnce from './synthesize-once';

/** Jest calls this once before the browser's tests: they see the built page, on the template of the scenarios. */
export default async function buildPage(): Promise<void> {
  await synthesizeOnce();
  await builtPage(join(__dirname, '../..'));
}
