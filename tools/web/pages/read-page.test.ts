import { bundled } from '../../../test/support/clouds/bundled';

// A page is a stranger's: however it is made, reading it ends.

const { exports, remove } = bundled<typeof import('./read-page')>('tools/web/pages/read-page.ts');
const { readPage } = exports;
afterAll(remove);

const page = (text: string, type = 'text/html') => ({ url: 'https://site.example/', type, text });

test('a page is read in a child process as it is without one (R102)', async () => {
  const read = await readPage(
    page(
      `<html><head><title>Kyoto</title></head><body><p>${'The temple is open from six. '.repeat(20)}</p></body></html>`,
    ),
  );
  expect(read).toMatchObject({ title: 'Kyoto', text: expect.stringMatching(/^The temple is open/) });
  expect(await readPage(page('as it is', 'text/plain'))).toEqual({ title: '', text: 'as it is' });
  await expect(readPage(page('<p></p>'))).rejects.toMatchObject({
    name: 'TellModel',
    message: 'There is no text on the page.',
  });
});

test.each([
  ['comments', '<!-- -->'.repeat(500_000)],
  ['ends of tags', '</'.repeat(2_000_000)],
  ['spaces', `<p>${'&nbsp;'.repeat(600_000)}</p>`],
  ['attributes', `<p ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(' ')}>x</p>`],
  ['what never ends', '<table><tr><td><b><svg><![CDATA['.repeat(100_000)],
  ['levels', `${'<div>'.repeat(190)}x${'</div><p>y</p>'.repeat(190)}`],
])('a page of %s is read or refused within its deadline (R150)', async (_kind, html) => {
  const outcome = await readPage(page(html), 400).catch((error: Error) => error);
  if (outcome instanceof Error)
    expect(outcome).toMatchObject({
      name: 'TellModel',
      message: expect.stringMatching(/^(The page cannot be read|There is no text)/),
    });
  else expect(outcome).toMatchObject({ text: expect.any(String) });
});
