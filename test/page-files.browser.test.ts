import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import JSZip from 'jszip';
import type { Locator, Page, Route } from 'playwright-core';
import { answered, barriers, field, focusIsOn, said, visitedVigil } from './support/page/browser';
import { pdf } from './support/sample-files';
import { call } from './support/stories/transcript';

// Files on the page: picked, dropped and pasted, uploaded to the cloud's own S3, shown, played and saved.

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

/** Sends a file to a signed address, and reads it from another one. Runs in the page. */
async function uses({ put, get, sent }: Signed) {
  const body = Uint8Array.from(atob(sent), (one) => one.charCodeAt(0));
  const status = (answer: Promise<Response>) =>
    answer.then(
      (one) => one.status,
      () => 'refused',
    );
  return [await status(fetch(put.url, { method: 'PUT', headers: put.headers, body })), await status(fetch(get))];
}
interface Signed {
  put: { url: string; headers: Record<string, string> };
  get: string;
  sent: string;
}

describe('files on the page', () => {
  const { vigil, comesTo } = visitedVigil();

  test('pictures are picked, dropped, pasted; one fails and is retried; the message waits; they are viewed, saved and kept; no other site uses their addresses (R211, R215)', async () => {
    vigil().model.script([{ text: 'I see a gradient.' }, { text: 'And another one.' }, { text: 'Still a gradient.' }]);
    const user = await vigil().user();
    const { id } = await user.start('tester');
    const { page } = await comesTo(id, desk);
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
      {
        name: 'photo.jpg',
        mimeType: 'image/jpeg',
        buffer: turned(await picture(page, 3_000, 1_000, 'image/jpeg', 60)),
      },
    ]);
    await page.getByText('The file was not stored: status 400.').first().waitFor();
    await page.getByRole('progressbar', { name: /^Uploading the view/ }).waitFor();
    await page.getByRole('button', { name: 'Remove photo.jpg' }).waitFor();
    await field(page).fill('Look at these');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
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
    await chips(page).nth(2).waitFor();
    expect(await field(page).inputValue()).toBe('Look at these');
    expect(await chips(page).locator('canvas').count()).toBe(2);
    await field(page).press('Enter');
    await answered(page, 'I see a gradient.');
    expect(await chips(page).count()).toBe(0);
    // Both were larger than models read. Resized, the camera's stands upright.
    expect(await naturalWidth(page.getByRole('img', { name: /^the view .*\.webp$/ }))).toBe(2_048);
    expect(await naturalWidth(page.getByRole('img', { name: 'photo.jpg' }))).toBe(683);
    const { messages } = await user.read(id);
    expect(messages[0]!.parts).toMatchObject([
      { type: 'text', text: 'Look at these' },
      { type: 'file', mediaType: 'image/webp', sources: ['file'] },
      { type: 'file', mediaType: 'image/svg+xml', size: svg.length, filename: 'drawing.svg' },
      { type: 'file', filename: 'photo.jpg' },
    ]);

    // An SVG is saved, and never drawn.
    const [download, response] = await Promise.all([
      page.waitForEvent('download'),
      page.waitForResponse((one) => stored.test(one.url())),
      page.getByRole('button', { name: 'Download drawing.svg' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('drawing.svg');
    expect((await response.allHeaders())['content-disposition']).toMatch(/^attachment/);
    expect(await page.locator('main img').count()).toBe(2);
    expect(await page.title()).not.toContain('run');

    // Dropped and pasted, and an empty one. A message of files alone has no bubble.
    const dropped = await transfer(page, 'dropped.jpg', 'image/jpeg', await picture(page, 600, 800, 'image/jpeg', 20));
    await page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped });
    await page.getByText('Drop files to attach them').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
    await page.getByRole('button', { name: 'Remove dropped.jpg' }).waitFor();
    await page.getByText('Drop files to attach them').waitFor({ state: 'detached' });
    const bytes = await picture(page, 300, 200, 'image/png', 120);
    const pasted = await transfer(page, 'image.png', 'image/png', bytes);
    const put = page.waitForRequest((one) => one.method() === 'PUT' && stored.test(one.url()));
    await field(page).evaluate((element, clipboardData) => {
      const paste = { clipboardData: clipboardData as DataTransfer, bubbles: true, cancelable: true };
      element.dispatchEvent(new ClipboardEvent('paste', paste));
    }, pasted);
    await page.getByRole('button', { name: 'Remove image.png' }).waitFor();
    await picker(page).setInputFiles({ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) });
    await page.getByRole('button', { name: 'Remove empty.txt' }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await answered(page, 'And another one.');
    const second = said(page).nth(1);
    expect(await second.locator('p[dir=auto]').count()).toBe(0);
    await second.getByText('0 bytes').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 780 });
    expect(await tooWide(page)).toBe(false);
    await page.setViewportSize(desk.viewport);

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
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await focusIsOn(page, '^View dropped.jpg$');

    // What the page may do with an address, no page of another site may, even if it has one.
    const headers = Object.entries((await put).headers()).filter(([name]) => /^(?:content-type$|x-amz-)/.test(name));
    const use = {
      put: { url: (await put).url(), headers: Object.fromEntries(headers) },
      get: (await page.getByRole('img', { name: 'image.png' }).getAttribute('src'))!,
      sent: bytes.toString('base64'),
    };
    expect(await page.evaluate(uses, use)).toEqual([200, 200]);
    const stranger = await page.context().newPage();
    await stranger.goto('data:text/html,<p>Hello</p>');
    expect(await stranger.evaluate(uses, use)).toEqual(['refused', 'refused']);
    await stranger.close();

    // An address that does not work is asked for again. An edited message keeps its files. What is gone says so.
    const addresses = /\/conversations\/[^/]+\/files\//;
    const asked: string[] = [];
    page.on('request', (request) => addresses.test(request.url()) && asked.push(request.url()));
    let fails = true;
    await page.route(stored, (route) => {
      if (!fails || !route.request().url().includes('dropped.jpg')) return route.continue();
      fails = false;
      return route.fulfill({ status: 403 });
    });
    await page.reload();
    expect(await naturalWidth(page.getByRole('img', { name: 'dropped.jpg' }))).toBe(600);
    expect([asked.filter((url) => url.includes('dropped.jpg')).length, fails]).toEqual([2, false]);
    await said(page).first().getByRole('button', { name: 'Edit and ask again' }).click();
    await page.getByLabel('Your message').fill('What is on these?');
    await page.getByText('with its files').waitFor();
    await page.getByRole('button', { name: 'Ask again', exact: true }).click();
    await answered(page, 'Still a gradient.');
    expect(await naturalWidth(page.getByRole('img', { name: 'photo.jpg' }))).toBe(683);
    await page.route(addresses, (route) => route.fulfill({ status: 404, json: {} }));
    await page.reload();
    await page.getByText('This file is gone.').nth(1).waitFor();
  });

  test('a receipt that its camera held on its side is uploaded upright, however small, and seen whole (R272)', async () => {
    vigil().model.script([{ text: 'A receipt.' }]);
    const { id } = await (await vigil().user()).start('tester');
    const { page } = await comesTo(id, desk);
    await picker(page).waitFor({ state: 'attached' });
    const buffer = turned(await picture(page, 900, 300, 'image/jpeg', 60));
    await picker(page).setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer }]);
    await page.getByRole('button', { name: 'Remove receipt.jpg' }).waitFor();
    await field(page).fill('What did I pay?');
    await field(page).press('Enter');
    await answered(page, 'A receipt.');
    const image = page.getByRole('img', { name: 'receipt.jpg' });
    expect(await naturalWidth(image)).toBe(300);
    expect(await image.evaluate((element) => getComputedStyle(element).objectFit)).toBe('contain');
  });

  test('what a tool has made is shown under its line, before the line is opened (R213, R215)', async () => {
    const chart =
      '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><circle cx="160" cy="100" r="80"/></svg>';
    const code = `savePicture('chart.png', '${chart}'); saveFile('chart.csv', 'radius\\n80\\n')`;
    vigil().model.script([call('c', 'run_code', { code }), { text: 'Here is the circle.' }]);
    const user = await vigil().user();
    const { id } = await user.start('calculator', 'Draw a circle');
    await user.finished(id);
    const { page } = await comesTo(id, desk);
    expect(await naturalWidth(page.getByRole('img', { name: 'chart.png' }))).toBe(320);
    await page.getByRole('list', { name: 'Files' }).getByText('chart.csv').waitFor();
  });

  test('a PDF opens in a tab of another origin; a video plays where it is, when it is asked to; all is saved as a zip (R215, R216)', async () => {
    const user = await vigil().user();
    const { id } = await user.start('tester');
    const { page } = await comesTo(id, desk);
    const more = page.locator('main header').getByRole('button', { name: 'More about this conversation' });
    // Without files, there is nothing to put into a zip.
    await more.click();
    await page.getByRole('menuitem', { name: 'Export as Markdown', exact: true }).waitFor();
    expect(await page.getByRole('menuitem', { name: /zip/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    const contract = pdf('First page');
    vigil().model.script([{ text: 'I have read it.' }]);
    const fileOf = (name: string, type: string, bytes: Buffer | string) =>
      new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type });
    await user.sendFiles(
      id,
      'Read',
      fileOf('contract.pdf', 'application/pdf', contract),
      fileOf('walk.webm', 'video/webm', readFileSync(join(__dirname, 'support/samples/walk.webm'))),
      fileOf('old.mov', 'video/quicktime', 'no video'),
      fileOf('notes.txt', 'text/plain', 'museum, taxi'),
    );

    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'View contract.pdf' }).click();
    const viewer = page.getByRole('dialog', { name: 'PDF: contract.pdf' });
    const open = viewer.getByRole('button', { name: 'Open in a new tab' });
    await open.waitFor();
    expect(await barriers(page)).toEqual([]);
    const tab = async () => {
      const [answer] = await Promise.all([
        page.context().waitForEvent('response', (answer) => stored.test(answer.url())),
        open.click(),
      ]);
      return answer;
    };
    const ofContract = () =>
      asked.filter((url) => /contract\.pdf.*as=inline|as=inline.*contract\.pdf/.test(url)).length;
    const before = ofContract();
    const answer = await tab();
    const { 'content-type': type, 'content-disposition': disposition } = await answer.allHeaders();
    expect([answer.status(), type, disposition]).toEqual([200, 'application/pdf', expect.stringMatching(/^inline; /)]);
    expect(new URL(answer.url()).origin).not.toBe(new URL(page.url()).origin);
    expect(ofContract()).toBe(before);
    // The address expires, at the store and by the page's clock.
    await vigil().advance('PT6M');
    await page.clock.setFixedTime(Date.now() + 360_000);
    expect((await tab()).status()).toBe(200);
    expect(ofContract()).toBe(before + 1);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: 'Download contract.pdf' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('contract.pdf');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await focusIsOn(page, 'View contract.pdf');

    const player = page.locator('video');
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 1);
    expect(await player.count()).toBe(1);
    expect(
      await player.evaluate((one: HTMLVideoElement) => [one.paused, one.controls, one.autoplay, one.videoWidth]),
    ).toEqual([true, true, false, 160]);
    await player.evaluate((one: HTMLVideoElement) => one.play());
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.1);

    // The store does not answer, and the user gives up.
    expect(asked.filter((url) => /export/.test(new URL(url).pathname))).toEqual([]);
    const choose = async () => {
      await more.click();
      await page.getByRole('menuitem', { name: 'Export as Markdown and files (.zip)' }).click();
    };
    let release!: () => void;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(stored, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await choose();
    const dialog = page.getByRole('dialog', { name: 'Export with files' });
    await dialog.getByText('0 of 4 files').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    release();
    await page.unroute(stored);

    const [download] = await Promise.all([page.waitForEvent('download'), choose()]);
    expect(download.suggestedFilename()).toMatch(/^vigil-.*\.zip$/);
    const read = await JSZip.loadAsync(readFileSync(await download.path()), { checkCRC32: true });
    const names = ['contract.pdf', 'notes.txt', 'old.mov', 'walk.webm'].map((name) => `files/${name}`);
    expect(Object.keys(read.files).sort()).toEqual(['conversation.md', ...names]);
    expect(await read.file('files/contract.pdf')!.async('nodebuffer')).toEqual(contract);
    await dialog.waitFor({ state: 'detached' });
  });
});
