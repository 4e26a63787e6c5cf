import { bundledReader } from '../../../test/support/document-reader';
import { pdf } from '../../../test/support/sample-files';
import { documentReader } from './document-text';

const file = bundledReader();
const read = documentReader({ file });
const html = (text: string) => Buffer.from(text);

describe('documents are read in a child process (R212)', () => {
  test('a PDF has its text and its pages', async () => {
    expect(await read('a', 'pdf', pdf('Total 12.50', 'Thank you'))).toEqual({
      text: 'Total 12.50\n\nThank you',
      pages: 2,
      isWhole: true,
    });
  });

  test('a page of HTML has what a person reads', async () => {
    const page =
      '<html><head><title>T</title></head><body><script>draw()</script><p hidden>Pay <br><b>me</b></p><img alt="x"><h1>Menu</h1><p>Soup &amp; <b>bread</b></p><table><tr><td>5</td><td>EUR</td></tr></table></body></html>';
    expect(await read('b', 'html', html(page))).toEqual({ text: 'Menu\n\nSoup & bread\n\n5\tEUR', isWhole: true });
  });

  test('a page in Latin-1 keeps its letters', async () => {
    expect(await read('e', 'html', Buffer.from('<p>Caf\xe9</p>', 'latin1'))).toMatchObject({ text: 'Café' });
  });

  test('a result is kept by the id of the file, which names its bytes', async () => {
    const first = await read('c', 'pdf', pdf('Once'));
    expect(await read('c', 'pdf', Buffer.alloc(0))).toBe(first);
  });

  test('the bytes of the caller stay', async () => {
    const bytes = pdf('Stays');
    await read('d', 'pdf', bytes);
    expect(bytes.byteLength).toBeGreaterThan(0);
  });

  test.each([
    ['broken', Buffer.from('%PDF-1.4 nothing')],
    ['empty', Buffer.alloc(0)],
  ])('a PDF that is %s is a problem, not an error', async (name, bytes) => {
    expect(await read(name, 'pdf', bytes)).toEqual({ problem: expect.stringMatching(/^it is (?:damaged|too large)/) });
    expect(await read('after it', 'pdf', pdf('Fine'))).toMatchObject({ text: 'Fine' });
  });

  test('what takes longer than the deadline, or more memory than there is, is given up', async () => {
    const hurried = documentReader({ file, timeoutMs: 1 });
    expect(await hurried('a', 'pdf', pdf('Total'))).toEqual({ problem: 'it takes too long to read' });
    const narrow = documentReader({ file, heapMb: 4 });
    expect(await narrow('a', 'pdf', pdf('Total'))).toEqual({ problem: expect.stringMatching(/too large/) });
  });

  test('each reading is noted before it, and the note stays if it ends its reader (R266)', async () => {
    const told: string[] = [];
    const notes = (name: string, isRead = true) => ({
      begin: async () => Boolean(told.push(`begin ${name}`)) && isRead,
      end: async () => void told.push(`end ${name}`),
    });
    const own = documentReader({ file });
    await own('a', 'pdf', pdf('Total'), notes('a'));
    await own('a', 'pdf', pdf('Total'), notes('known'));
    await own('broken', 'pdf', Buffer.alloc(3), notes('broken'));
    await documentReader({ file, heapMb: 4 })('b', 'pdf', pdf('Total'), notes('b'));
    expect(await own('c', 'pdf', pdf('Total'), notes('c', false))).toEqual({
      problem: 'reading it has ended its reader twice, so it is left out',
    });
    expect(told).toEqual(['begin a', 'end a', 'begin broken', 'end broken', 'begin b', 'begin c']);
  });
});
