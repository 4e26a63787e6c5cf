/**
 * The pages of a list, each read when it is asked for.
 * @param first the first page, if it has been asked for already.
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
