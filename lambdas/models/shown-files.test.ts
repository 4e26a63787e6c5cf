import type { Item } from '../../core/base/content/items';
import type { FilePart, GuardedFile } from '../../core/base/content/parts';
import { defineAgent } from '../../core/conversations/agent/agent';
import { readResult } from '../../core/conversations/agent/read-result';
import { pdf, png, storedFiles } from '../../test/support/sample-files';
import type { ReadText } from './documents/document-text';
import { mediaOf, shownItems } from './shown-files';

const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'gpt-6.1-sol', tools: [] });
const limits = { images: 3, pdfs: 3, pages: 10, imageBytes: 1_000, pdfBytes: 5_000, bytes: 8_000 };
const by = (text: string, ...files: FilePart[]): Item => ({ kind: 'message', by: 'user', text, files });
const ofPages =
  (pages: number): ReadText =>
  async (id) => ({ text: `Text of ${id}`, pages, isWhole: true });
const kinds = (items: Item[]) => items.map((item) => mediaOf(item).map(({ kind }) => kind));

test('of documents with too many pages together, the later ones are told as text (R212)', async () => {
  const files = storedFiles();
  const documents = ['One', 'Two', 'Three'].map((text) => files.put('application/pdf', pdf(text)));
  const items = documents.map((file) => by('Read', file));
  const shown = await shownItems({ agent, items, readFile: files.readFile }, limits, { readText: ofPages(4) });
  expect(kinds(shown)).toEqual([['pdf'], ['pdf'], []]);
  expect(shown[2]).toMatchObject({ text: expect.stringContaining(`"Text of ${documents[2]!.id}"`) });
});

test('of a message with too many files, the first are shown, and of the rest nothing is read (R212)', async () => {
  const files = storedFiles();
  const photos = Array.from({ length: 5 }, (_, grey) => files.put('image/png', png(2, 2, grey)));
  const [shown] = await shownItems({ agent, items: [by('Look', ...photos)], readFile: files.readFile }, limits);
  expect(kinds([shown!])).toEqual([['image', 'image', 'image']]);
  expect(files.reads).toEqual(photos.slice(0, 3).map(({ id }) => id));
  for (const { id } of photos.slice(3))
    expect(shown).toMatchObject({ text: expect.stringContaining(`${id} is not shown`) });
});

test('a few files are read at a time, and no more of a text than is told (R212)', async () => {
  const files = storedFiles();
  const texts = Array.from({ length: 12 }, (_, index) => files.put('text/plain', Buffer.alloc(300_000, `${index} `)));
  let [running, most] = [0, 0];
  const lengths: number[] = [];
  const readFile = async (file: FilePart, firstBytes?: number) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    const bytes = await files.readFile(file, firstBytes);
    lengths.push(bytes.length);
    return bytes;
  };
  await shownItems({ agent, items: [by('Read', ...texts)], readFile }, limits);
  expect([most, Math.max(...lengths), lengths.length]).toEqual([4, 200_000, 12]);
});

test('a text that is cut inside a character has no half of it; UTF-16 is read by its mark (R212)', async () => {
  const files = storedFiles();
  const long = files.put('text/plain', Buffer.from('é'.repeat(150_000)));
  const wide = files.put('text/plain', Buffer.from('\ufeffÄpfel', 'utf16le'));
  const [shown] = await shownItems({ agent, items: [by('Read', long, wide)], readFile: files.readFile }, limits);
  const { text } = shown as { text: string };
  expect(text).toContain('up to 40000 characters');
  expect(text).toContain('"Äpfel"');
  expect(text).not.toMatch(/\ufffd|Ã/);
});

test('the files of a reply are not sent, and items without files are the same (R212)', async () => {
  const files = storedFiles();
  const said: Item = { kind: 'message', by: 'assistant', text: 'Here', files: [files.put('image/png', png())] };
  const items = [by('Draw'), said];
  expect(await shownItems({ agent, items, readFile: files.readFile }, limits)).toBe(items);
});

test('what the files of a message say is bounded, however they are written (R212)', async () => {
  const files = storedFiles();
  const hidden = files.put('text/plain', Buffer.from('\u200b'.repeat(50_000)));
  const texts = Array.from({ length: 20 }, (_, index) => files.put('text/plain', Buffer.alloc(60_000, `${index} `)));
  const [shown] = await shownItems({ agent, items: [by('Read', hidden, ...texts)], readFile: files.readFile }, limits);
  const { text } = shown as { text: string };
  expect(text.length).toBeLessThan(108_000);
  expect(text.split('is not shown')).toHaveLength(21);
  expect(text).toMatch(/up to 9\d{3} characters/);
});

test('of a good picture and one that is cut off, only that one is left out, and the model reads which (R266)', async () => {
  const files = storedFiles();
  const good = files.put('image/png', png());
  const cut = files.put('image/png', png(3, 3).subarray(0, -9));
  const [shown] = await shownItems({ agent, items: [by('Look', good, cut)], readFile: files.readFile }, limits);
  expect(mediaOf(shown!).map(({ id }) => id)).toEqual([good.id]);
  expect(shown).toMatchObject({ text: expect.stringContaining(`${cut.id} is not shown: it is cut off`) });
});

describe('a long file is read on (R274)', () => {
  const able = { ...agent, contextTokens: 10_000, tools: [readResult] };
  const whole = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}\n`).join('');
  const shownFrom = async (from: number | undefined, more: Partial<GuardedFile> = {}) => {
    const files = storedFiles();
    const file = { ...files.put('text/plain', Buffer.from(whole)), ...(from && { from }), ...more };
    const [shown] = await shownItems({ agent: able, items: [by('Read', file)], readFile: files.readFile }, limits);
    return { text: (shown as { text: string }).text, id: file.id };
  };
  const told = (text: string): string => JSON.parse(text.split('\n').at(-1)!);

  test('from where its line says, until its end, each character once', async () => {
    let from: number | undefined;
    let read = '';
    for (let times = 0; times < 10; times++) {
      const { text, id } = await shownFrom(from);
      read += told(text);
      const next = /call read_result with id "(\S+)" and from (\d+)\.\]/.exec(text);
      if (!next) break;
      expect([next[1], Number(next[2])]).toEqual([id, read.length + 1]);
      from = Number(next[2]);
    }
    expect(read).toBe(whole);
    expect((await shownFrom(whole.length + 1)).text).toContain(`is not shown: its text has ${whole.length} characters`);
  });

  test('but not what guards have not read', async () => {
    const guarded = { guarded: { text: whole.slice(0, 5_000) } };
    expect(told((await shownFrom(4_001, guarded)).text)).toBe(whole.slice(4_000, 5_000));
    expect((await shownFrom(5_001, guarded)).text).toContain('is not shown');
  });

  test('a document is read as far as is needed', async () => {
    const files = storedFiles();
    const paper = { ...files.put('application/pdf', pdf('One')), from: 60_001 };
    const asked: (number | undefined)[] = [];
    const readText: ReadText = async (_, __, ___, ____, needed) => {
      asked.push(needed?.characters);
      return { text: 'x'.repeat(60_000) + 'The rest', pages: 1, isWhole: true };
    };
    const [shown] = await shownItems({ agent: able, items: [by('Read', paper)], readFile: files.readFile }, limits, {
      readText,
    });
    expect(asked).toEqual([110_000]);
    expect(told((shown as { text: string }).text)).toBe('The rest');
  });
});

test('of a photo that lies on its side, the model reads how it lies, beside the photo (R272)', async () => {
  const files = storedFiles();
  const exif = [
    0x45, 0x78, 0x69, 0x66, 0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0,
    0,
  ];
  const photo = [0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif, 0xff, 0xc0, 0, 8, 8, 0, 9, 0, 9, 3, 0xff, 0xd9];
  const lying = files.put('image/jpeg', Buffer.from(photo));
  const [shown] = await shownItems({ agent, items: [by('Look', lying)], readFile: files.readFile }, limits);
  expect(mediaOf(shown!)).toHaveLength(1);
  expect(shown).toMatchObject({
    text: expect.stringContaining(`${lying.id} does not look upright to you: it is on its left side`),
  });
});

describe('a scan, for a model that takes pictures and no PDF (R272)', () => {
  const seeing = { ...agent, model: { ...agent.model, takes: ['image' as const] } };
  const shownBy = async (of: typeof agent, text: string, more: Partial<GuardedFile> = {}, known?: string) => {
    const files = storedFiles();
    const scan = { ...files.put('application/pdf', pdf('One')), ...more };
    const readText: ReadText = async (_, __, ___, ____, needed) => ({
      text,
      pages: 3,
      isWhole: true,
      ...(needed?.pictured && { pictures: [2, 3].map((page) => ({ page, bytes: png(2, 2, page) })) }),
    });
    const reading = { refusal: async () => known, tell: () => undefined } as never;
    const asked = { agent: of, items: [by('Read', scan)], readFile: files.readFile, reading };
    const [shown] = await shownItems(asked, limits, { readText });
    return {
      media: mediaOf(shown!).map(({ kind, mediaType }) => `${kind} ${mediaType}`),
      text: (shown as { text: string }).text,
    };
  };
  const two = ['image image/png', 'image image/png'];

  test('its pages without text are sent as pictures, beside its text, and the model reads which', async () => {
    const { media, text } = await shownBy(seeing, 'Page one');
    expect(media).toEqual(two);
    expect(text).toMatch(/\[The text of the file \S+; as pictures, in grey: pages 2, 3\] .*\n"Page one"$/s);
    expect((await shownBy(seeing, '')).media).toEqual(two);
  });

  test('not where the model takes neither, the provider has refused it, or a guard has read words alone', async () => {
    const blind = { ...agent, model: { ...agent.model, takes: [] } };
    expect((await shownBy(blind, 'Page one')).media).toEqual([]);
    expect((await shownBy(seeing, 'Page one', {}, 'It is bad.')).media).toEqual([]);
    expect((await shownBy(seeing, 'Page one', { guarded: {} })).media).toEqual([]);
  });

  test('no more than the request has room for, and the model reads that there are more', async () => {
    const files = storedFiles();
    const photos = [1, 2].map((grey) => files.put('image/png', png(2, 2, grey)));
    const scan = files.put('application/pdf', pdf('One'));
    const readText: ReadText = async () => ({
      text: '',
      pages: 2,
      isWhole: true,
      pictures: [1, 2].map((page) => ({ page, bytes: png(2, 2, page + 9) })),
    });
    const items = [by('Look', ...photos), by('Read', scan)];
    const shown = await shownItems({ agent: seeing, items, readFile: files.readFile }, limits, { readText });
    expect(kinds(shown)).toEqual([['image', 'image'], ['image']]);
    expect(shown[1]).toMatchObject({
      text: expect.stringContaining('the request has more pictures than the model takes'),
    });
  });
});
