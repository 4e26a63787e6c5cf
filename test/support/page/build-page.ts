import { join } from 'node:path';
import { builtPage } from '../../../local/npm-start/page';
import synthesizeOnce from '../clouds/synthesize-once';

/** Jest's global setup of the browser tests: builds the page and synthesizes the scenarios' stack. */
export default async function buildPage(): Promise<void> {
  await synthesizeOnce();
  await asShipped(() => builtPage(join(__dirname, '../../..')));
}

/**
 * Jest sets NODE_ENV to test, with which Vite would bundle React's development build: larger, slower, every effect run
 * twice.
 */
async function asShipped(build: () => Promise<void>): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build();
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
}
