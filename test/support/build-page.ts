import { join } from 'node:path';
import { builtPage } from '../../local/npm-start/page';
import synthesizeOnce from './synthesize-once';

/** Jest calls this once before the browser's tests: they see the built page, on the template of the scenarios. */
export default async function buildPage(): Promise<void> {
  await synthesizeOnce();
  await asShipped(() => builtPage(join(__dirname, '../..')));
}

/** Jest says that this is a test, and for that Vite would take React's build for development: larger, slower, every effect run twice. */
async function asShipped(build: () => Promise<void>): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build();
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
}
