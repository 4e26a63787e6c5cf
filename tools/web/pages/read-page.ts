import { TellModel } from '../../../core/base/text/errors';
import { childJob, JobEnded } from '../../../runtime/child-job';
import type { Page } from './page-body';
import { readableText } from './readable-text';

type Read = ReturnType<typeof readableText>;

/** A page of 4 MB that is made to be slow keeps the parser busy for minutes. */
const deadlineMs = 20_000;
const inChild = childJob({ file: __filename, name: 'read_page', heapMiB: 256, run: readableText });

/**
 * Returns what a person would read on a page, found in a child process that is ended at its deadline.
 *
 * @throws TellModel for whatever is wrong with the page. A timeout is an answer: another attempt would take as long.
 * @example
 * ```ts
 * import { readPage } from 'vigil/tools/web/pages/read-page';
 *
 * const text = '<html><head><title>Museum</title></head><body><script>draw()</script><p>Closed on Mondays.</p></body></html>';
 * await readPage({ url: 'https://museum.example/', type: 'text/html', text }); // → { title: 'Museum', text: 'Closed on Mondays.' }
 * ```
 */
export async function readPage(page: Page, withinMs = deadlineMs): Promise<Read> {
  if (!/html/.test(page.type)) return readableText(page);
  try {
    return await inChild(page, withinMs);
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'TellModel') throw new TellModel(message);
    const why =
      error instanceof JobEnded && error.reason === 'memory' ? 'it needs too much memory' : 'that takes too long';
    throw new TellModel(`The page cannot be read: ${why}.`, { cause: error });
  }
}
