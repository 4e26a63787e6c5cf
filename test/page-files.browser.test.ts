import type { Locator, Page, Route } from 'playwright-core';
import { answered, barriers, field, focusIsOn, phone, said, send, visitedVigil } from './support/page/browser';
import { call } from './support/stories/transcript';

// Files on the page: picked, dropped and pasted, uploaded to the cloud's own S3, shown and saved.

/** The signed addresses of the store. */
const stored = /\/files\/[\da-f]{32}\/f_[\w-]{43}\.[\da-f]{8}\?/;
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "run"</script></svg>';
const desk = { viewport: { width: 1_280, height: 800 } };

const chips = (page: Page) => page.getByRole('list', { name: 'Files of the message' }).getByRole('listitem');
const picker = (page: Page) => page.locator('input[type=file]');
/** Waits for the picture: its first address may be refused. */
async function naturalWidth(image: Locator): Promise<number> {
  for (;;) {
    const width = await image.evaluate((element: HTMLImageElement) => element.naturalWidth);
    if (width > 0) return width;
    await image.page().waitForTimeout(50);
  }
}
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const messages = document.querySelector('[aria-label=Messages]');
    const overflows = [document.documentElement, ...(messages ? [messages] : [])];
    return overflows.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  });

/** A picture of two colours, drawn by the browser. */
async function picture(page: Page, width: number, height: number, type: string, hue: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([width, height, type, hue]) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d')!;
      const colours = context.createLinearGradient(0, 0, width, height);
      colours.addColorStop(0, `hsl(${hue} 70% 70%)`);
      colours.addColorStop(1, `hsl(${hue + 60} 70% 30%)`);
      context.fillStyle = colours;
      context.fillRect(0, 0, width, height);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    },
    [width, height, type, hue] as const,
  );
  return Buffer.from(base64, 'base64');
}

/** A camera's picture, which lies on its side until it is turned as it says: by a quarter (EXIF's orientation 6). */
function turned(jpeg: Buffer): Buffer {
  const orientation = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0];
  const exif = Buffer.from([...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8, 0, 1, ...orientation, 0, 0, 0, 0]);
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

/** What a drag or the clipboard holds, as the browser gives it to a page. */
const transfer = (page: Page, name: string, mimeType: string, bytes: Buffer) =>
  page.evaluateHandle(
    ([name, type, base64]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
      return data;
    },
    [name, mimeType, bytes.toString('base64')] as const,
  );

describe('files on the page', () => {
  const { vigil, comesTo } = visitedVigil();

  test('two are picked, one fails and is retried; the draft survives a reload; the message waits for them; they are viewed and saved (R215)', async () => {
    vigil().model.script([{ text: 'I see a gradient.' }, { text: 'And another one.' }]);
    const user = await vigil().user();
    const { id } = await user.start('tester');
    const { page, show } = await comesTo(id, desk);
    await picker(page).waitFor({ state: 'attached' });
    let refuses = true;
    let release!: () => void;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(stored, async (route: Route) => {
      const request = route.request();
      if (request.method() !== 'PUT') return route.continue();
      const type = request.headers()['content-type'];
      if (type === 'image/svg+xml' && refuses)
        return route.fulfill({ status: 400, headers: { 'access-control-allow-origin': '*' } });
      if (type === 'image/webp') await held;
      return route.continue();
    });
    await picker(page).setInputFiles([
      {
        name: 'the view from the hotel on our last evening.png',
        mimeType: 'image/png',
        buffer: await picture(page, 2_400, 1_200, 'image/png', 200),
      },
      { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) },
    ]);
    await page.getByText('The file was not stored: status 400.').first().waitFor();
    await page.getByRole('progressbar', { name: /^Uploading the view/ }).waitFor();
    await field(page).fill('Look at these');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await show('files-uploading');
    expect(await barriers(page)).toEqual([]);
    refuses = false;
    await page.getByRole('button', { name: 'Retry drawing.svg' }).press('Enter');
    await page.getByRole('button', { name: 'Remove drawing.svg' }).waitFor();

    // Send waits, and can be taken back.
    await field(page).press('Enter');
    await page.getByText('Sent as soon as the file is uploaded.').waitFor();
    await page.getByRole('button', { name: 'Do not send yet' }).click();
    release();
    await page.getByRole('button', { name: /^Remove the view/ }).waitFor();
    expect(await said(page).count()).toBe(0);
    await page.reload();
    await chips(page).nth(1).waitFor();
    expect(await field(page).inputValue()).toBe('Look at these');
    expect(await chips(page).locator('canvas').count()).toBe(1);
    await field(page).press('Enter');
    await answered(page, 'I see a gradient.');
    expect(await chips(page).count()).toBe(0);
    // It was larger than models read.
    expect(await naturalWidth(page.getByRole('img', { name: /^the view .*\.webp$/ }))).toBe(2_048);
    const { messages } = await user.read(id);
    expect(messages[0]!.parts).toMatchObject([
      { type: 'text', text: 'Look at these' },
      { type: 'file', mediaType: 'image/webp', sources: ['file'] },
      { type: 'file', mediaType: 'image/svg+xml', size: svg.length, filename: 'drawing.svg' },
    ]);

    // An SVG is saved, and never drawn.
    const [download, response] = await Promise.all([
      page.waitForEvent('download'),
      page.waitForResponse((one) => stored.test(one.url())),
      page.getByRole('button', { name: 'Download drawing.svg' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('drawing.svg');
    expect((await response.allHeaders())['content-disposition']).toMatch(/^attachment/);
    expect(await page.locator('main img').count()).toBe(1);
    expect(await page.title()).not.toContain('run');

    // Dropped and pasted, and an empty one. A message of files alone has no bubble.
    const dropped = await transfer(page, 'dropped.jpg', 'image/jpeg', await picture(page, 600, 800, 'image/jpeg', 20));
    await page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped });
    await page.getByText('Drop files to attach them').waitFor();
    await show('files-drop');
    await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
    await page.getByRole('button', { name: 'Remove dropped.jpg' }).waitFor();
    await page.getByText('Drop files to attach them').waitFor({ state: 'detached' });
    const pasted = await transfer(page, 'image.png', 'image/png', await picture(page, 300, 200, 'image/png', 120));
    await field(page).evaluate((element, clipboardData) => {
      const paste = { clipboardData: clipboardData as DataTransfer, bubbles: true, cancelable: true };
      element.dispatchEvent(new ClipboardEvent('paste', paste));
    }, pasted);
    await picker(page).setInputFiles({ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
    for (const name of ['image.png', 'empty.txt']) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await answered(page, 'And another one.');
    const second = said(page).nth(1);
    expect(await second.locator('p[dir=auto]').count()).toBe(0);
    await second.getByText('0 bytes').waitFor();
    await show('files-sent-light');
    expect(await tooWide(page)).toBe(false);
    expect(await barriers(page)).toEqual([]);

    // The viewer, by keyboard.
    await second.getByRole('button', { name: 'View dropped.jpg' }).press('Enter');
    const viewer = page.getByRole('dialog');
    expect(await naturalWidth(viewer.getByRole('img', { name: 'dropped.jpg' }))).toBe(600);
    await viewer.getByText('1 of 2').waitFor();
    await page.keyboard.press('ArrowRight');
    await viewer.getByRole('img', { name: 'image.png' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('+');
    await viewer.getByText('200 %').waitFor();
    await naturalWidth(viewer.getByRole('img', { name: 'dropped.jpg' }));
    await show('files-viewer-light');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await focusIsOn(page, '^View dropped.jpg$');

    // On a phone, in the dark. An address that does not work is asked for again.
    let asked = 0;
    let fails = true;
    const small = await comesTo(id, { ...phone, colorScheme: 'dark' }, async (other) => {
      await other.route(/\/conversations\/[^/]+\/files\//, (route) => {
        if (route.request().url().includes('dropped.jpg')) asked += 1;
        return route.continue();
      });
      await other.route(stored, (route) => {
        if (!fails || !route.request().url().includes('dropped.jpg')) return route.continue();
        fails = false;
        return route.fulfill({ status: 403 });
      });
    });
    await answered(small.page, 'And another one.');
    expect(await naturalWidth(small.page.getByRole('img', { name: 'dropped.jpg' }))).toBe(600);
    expect([asked, fails]).toEqual([2, false]);
    await small.show('files-phone-dark');
    expect(await tooWide(small.page)).toBe(false);
    expect(await barriers(small.page)).toEqual([]);
    const targets = small.page.getByRole('button', { name: /^(?:Attach|Send|Download)/ });
    const heights = await targets.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await small.page.getByRole('button', { name: 'View dropped.jpg' }).tap();
    await small.page.getByRole('dialog').getByRole('img').waitFor();
    await small.show('files-viewer-phone');
    expect(await tooWide(small.page)).toBe(false);
  });

  test('what is gone or refused is said in words, and an edited message keeps its files (R215)', async () => {
    vigil().model.script([{ text: 'A square.' }, { text: 'Still a square.' }]);
    const user = await vigil().user();
    const { id } = await user.start('tester');
    const { page, show } = await comesTo(id, { ...desk, colorScheme: 'dark' });
    await picker(page).waitFor({ state: 'attached' });
    await picker(page).setInputFiles([
      { name: 'square.png', mimeType: 'image/png', buffer: await picture(page, 200, 200, 'image/png', 300) },
      {
        name: 'photo.jpg',
        mimeType: 'image/jpeg',
        buffer: turned(await picture(page, 3_000, 1_000, 'image/jpeg', 60)),
      },
      { name: 'large.bin', mimeType: '', buffer: Buffer.alloc(26_000_000) },
    ]);
    await chips(page).getByText('The file has 26 MB, and at most 25 MB are taken; send a smaller one.').waitFor();
    await show('files-refused-dark');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove large.bin' }).click();
    for (const name of ['square.png', 'photo.jpg'])
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    await send(page, 'What is this?');
    await answered(page, 'A square.');
    // Resized, it stands upright.
    expect(await naturalWidth(page.getByRole('img', { name: 'photo.jpg' }))).toBe(683);
    await said(page).getByRole('button', { name: 'Edit and ask again' }).click();
    await page.getByLabel('Your message').fill('What shape is this?');
    await page.getByText('with its files').waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await answered(page, 'Still a square.');
    expect(await naturalWidth(page.getByRole('img', { name: 'square.png' }))).toBe(200);

    await page.route(/\/conversations\/[^/]+\/files\//, (route) => route.fulfill({ status: 404, json: {} }));
    await page.reload();
    await page.getByText('This file is gone.').nth(1).waitFor();
    await show('files-gone-dark');
    expect(await barriers(page)).toEqual([]);
  });

  test('what a tool has made is shown under its line, before the line is opened (R213, R215)', async () => {
    const chart =
      '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><circle cx="160" cy="100" r="80"/></svg>';
    const code = `savePicture('chart.png', '${chart}'); saveFile('chart.csv', 'radius\\n80\\n')`;
    vigil().model.script([call('c', 'run_code', { code }), { text: 'Here is the circle.' }]);
    const user = await vigil().user();
    const { id } = await user.start('calculator', 'Draw a circle');
    await user.finished(id);
    const { page, show } = await comesTo(id, desk);
    expect(await naturalWidth(page.getByRole('img', { name: 'chart.png' }))).toBe(320);
    await page.getByRole('list', { name: 'Files' }).getByText('chart.csv').waitFor();
    await show('files-made-by-a-tool');
    expect(await barriers(page)).toEqual([]);
  });
});
