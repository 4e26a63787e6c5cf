import * as z from 'zod';
import { clip } from '../../core/base/text/clip';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveIsolated } from '../../runtime/serve-isolated';
import { fetchByBrowserless } from './pages/browserless';
import { fetchPublicPage } from './pages/public-fetch';
import { readPage } from './pages/read-page';

/** The pages that the search found, and that are opened for one message of the user without asking. */
const mostPagesUnasked = 4;
/** About 5,000 tokens. Every later step pays for them again, so more is seldom worth it. */
const maxCharacters = 20_000;

export const scrapeWebsite = defineTool({
  name: 'scrape_website',
  title: 'Read a page',
  description:
    'Reads one web page and returns its text. Call it with a link from `internet_search` or from the user. It does not search, follow links, fill in forms, or read PDFs and pictures.',
  input: z.object({
    url: z.string().min(1).max(2_000).describe('The full address of the page, with https:// or http://'),
  }),
  output: z.string(),
  effect: 'read',
  source: 'web',
  // An address can carry what the conversation contains. One that the user gave carries nothing. One of the search's carries which of them
  // was chosen, so only few are opened for each of the user's messages.
  afterUntrusted({ url }, read) {
    if (read.quotes(url)) return 'allow';
    const isListed = read.quotes(url, 'internet_search');
    return isListed && read.callsSinceUser('scrape_website') < mostPagesUnasked ? 'allow' : 'approve';
  },
  timeoutSeconds: 60,
  // Without a token, pages are fetched directly.
  needs: {
    secrets: ['BROWSERLESS_TOKEN'],
    variables: ['BROWSERLESS_BASE_URL'],
    optional: ['BROWSERLESS_TOKEN', 'BROWSERLESS_BASE_URL'],
  },
  memoryMiB: 512,
  retry: { maxAttempts: 2, intervalSeconds: 2, backoffRate: 2, maxDelaySeconds: 20 },
  isolated: true,
  async execute({ url }, { secrets, variables }) {
    const token = secrets.BROWSERLESS_TOKEN;
    const page = token
      ? await fetchByBrowserless(url, { baseUrl: variables.BROWSERLESS_BASE_URL, token })
      : await fetchPublicPage(url);
    const { title, text } = await readPage(page);
    const heading = title ? `# ${title.replace(/\s+/g, ' ')}\n\n` : '';
    const note =
      text.length > maxCharacters
        ? `\n… [cut here: the page has ${text.length} characters, of which these are the first ${maxCharacters}]`
        : '';
    return `${page.url}\n\n${heading}${clip(text, { characters: maxCharacters })}${note}`;
  },
});

export const handler = serveIsolated(scrapeWebsite);
