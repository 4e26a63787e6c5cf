/** The pages of a list, each read when it is asked for. */
export async function* pagesOf<Page extends { cursor?: string }>(
  read: (cursor?: string) => Promise<Page>,
): AsyncGenerator<Page> {
  let page: Page | undefined;
  do {
    page = await read(page?.cursor);
    yield page;
  } while (page.cursor);
}
