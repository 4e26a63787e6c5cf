/**
 * Reads the pages of a list, each when it is asked for.
 *
 * @param first the first page, if it has been asked for already.
 * @example
 * ```ts
 * import { createClient, pagesOf } from 'vigil-client';
 *
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * const titles: string[] = [];
 * for await (const { conversations } of pagesOf((cursor) => client.api.list(cursor)))
 *   titles.push(...conversations.map(({ title }) => title));
 * titles; // → ['Tickets', 'Opening hours']
 * ```
 */
export async function* pagesOf<Page extends { cursor?: string }>(
  read: (cursor?: string) => Promise<Page>,
  first: Promise<Page> = read(),
): AsyncGenerator<Page> {
  let page = await first;
  yield page;
  while (page.cursor) {
    page = await read(page.cursor);
    yield page;
  }
}
