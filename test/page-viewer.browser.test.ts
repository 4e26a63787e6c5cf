import { readFileSync } from 'node:fs';
import JSZip from 'jszip';
import type { Page } from 'playwright-core';
import { barriers, phone, visitedVigil } from './support/page/browser';
import { busyPdf, lockedPdf, pdf, pdfBomb, pdfOfManyPages, pdfOfSize, scannedPdf } from './support/sample-files';

// What the page shows of files other than pictures: pages of a PDF, and video.

const desk = { viewport: { width: 1_280, height: 800 } };

/** The number of pixels that are not white, of those of a row in the middle of each tenth. */
const inked = (page: Page) =>
  page
    .getByRole('dialog')
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext('2d')!;
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      return data.filter((value, index) => index % 4 === 0 && value < 200).length;
    });
const sizeOf = (page: Page) =>
  page
    .getByRole('dialog')
    .locator('canvas')
    .evaluate(({ width, height, clientWidth }: HTMLCanvasElement) => ({
      width,
      height,
      clientWidth,
    }));
const tooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** A second of a moving square, recorded by the browser. */
async function video(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160;
    canvas.height = 90;
    const context = canvas.getContext('2d')!;
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let at = 0; at < 25; at++) {
      context.fillStyle = 'teal';
      context.fillRect(0, 0, 160, 90);
      context.fillStyle = 'gold';
      context.fillRect(at * 5, 30, 30, 30);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return Buffer.from(base64, 'base64');
}

describe('the viewer', () => {
  const { vigil, comesTo } = visitedVigil();

  const pdfFile = (name: string, bytes: Buffer) => new File([new Uint8Array(bytes)], name, { type: 'application/pdf' });
  async function talkWith(...files: File[]): Promise<string> {
    if (files.length > 0) vigil().model.script([{ text: 'I have read it.' }]);
    const user = await vigil().user();
    const { id } = await user.start('tester');
    if (files.length > 0) await user.sendFiles(id, 'Read', ...files);
    return id;
  }

  test('pages of a PDF are drawn, turned, zoomed and read out; nothing is loaded before it is opened (R215)', async () => {
    const id = await talkWith(pdfFile('contract.pdf', pdf('First page', 'Second page', 'Third page')));
    const { page, show } = await comesTo(id, desk);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    const view = page.getByRole('button', { name: 'View contract.pdf' });
    await view.waitFor();
    expect(loaded.filter((url) => /pdf-(?:viewer|worker)/.test(url))).toEqual([]);
    await view.press('Enter');
    const viewer = page.getByRole('dialog', { name: 'PDF: contract.pdf' });
    await viewer.getByRole('img', { name: 'Page 1 of 3' }).waitFor();
    await viewer.getByText('1 of 3', { exact: false }).first().waitFor();
    await viewer.getByText('First page').waitFor({ state: 'attached' });
    await show('pdf-viewer');
    expect(await inked(page)).toBeGreaterThan(50);
    expect(await barriers(page)).toEqual([]);
    expect(loaded.filter((url) => /pdf-worker/.test(url))).toHaveLength(1);

    await page.keyboard.press('ArrowRight');
    await viewer.getByRole('img', { name: 'Page 2 of 3' }).waitFor();
    await viewer.getByText('Second page').waitFor({ state: 'attached' });
    await page.keyboard.press('End');
    await viewer.getByRole('img', { name: 'Page 3 of 3' }).waitFor();
    expect(await viewer.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.keyboard.press('PageUp');
    await viewer.getByRole('img', { name: 'Page 2 of 3' }).waitFor();
    await page.keyboard.press('Home');
    await viewer.getByRole('img', { name: 'Page 1 of 3' }).waitFor();
    const { clientWidth } = await sizeOf(page);
    await page.keyboard.press('+');
    await viewer.getByText('200 %').waitFor();
    await page.waitForFunction(
      (before) => document.querySelector('dialog canvas')!.clientWidth === before * 2,
      clientWidth,
    );
    // Page Down scrolls what is larger than the window, and turns at its end.
    for (let press = 0; (await viewer.getByRole('img', { name: 'Page 2 of 3' }).count()) === 0; press++) {
      expect(press).toBeLessThan(20);
      await page.keyboard.press('PageDown');
      await page.waitForTimeout(100);
    }
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: 'Download contract.pdf' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('contract.pdf');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });

    const small = await comesTo(id, { ...phone, colorScheme: 'dark' });
    await small.page.getByRole('button', { name: 'View contract.pdf' }).tap();
    await small.page.getByRole('dialog').getByRole('img', { name: 'Page 1 of 3' }).waitFor();
    await small.page.getByRole('button', { name: 'Next page' }).tap();
    await small.page.getByRole('dialog').getByRole('img', { name: 'Page 2 of 3' }).waitFor();
    await small.show('pdf-viewer-phone');
    expect(await tooWide(small.page)).toBe(false);
    expect(await barriers(small.page)).toEqual([]);
  });

  test('a PDF that is odd gets words, or bounds, and never a blank (R215)', async () => {
    const elsewhere = 'https://elsewhere.example/';
    const id = await talkWith(
      pdfFile('long.pdf', pdfOfManyPages(100_000)),
      pdfFile('wide.pdf', pdfOfSize(1_000_000, 1_000_000)),
      pdfFile('damaged.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 7)])),
      pdfFile('locked.pdf', lockedPdf()),
      pdfFile('busy.pdf', busyPdf(elsewhere)),
      pdfFile('scanned.pdf', scannedPdf()),
      pdfFile('bomb.pdf', pdfBomb(400)),
    );
    const { page, show } = await comesTo(id, desk);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', (dialog) => asked.push(dialog.message()));
    const open = async (name: string) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: `View ${name}` }).click();
      return page.getByRole('dialog', { name: `PDF: ${name}` });
    };

    const long = await open('long.pdf');
    await long.getByRole('img', { name: 'Page 1 of 100000' }).waitFor();
    await long.getByLabel('Page', { exact: true }).fill('70000');
    await page.keyboard.press('Enter');
    await long.getByRole('img', { name: 'Page 70000 of 100000' }).waitFor();
    await long.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('End');
    await long.getByRole('img', { name: 'Page 100000 of 100000' }).waitFor();
    expect(await page.locator('dialog canvas').count()).toBe(1);

    const wide = await open('wide.pdf');
    await wide.getByRole('img', { name: 'Page 1 of 1' }).waitFor();
    expect(await inked(page)).toBeGreaterThan(1_000);
    for (const _ of Array(3)) await page.keyboard.press('+');
    await wide.getByText('800 %').waitFor();
    const { width, height } = await sizeOf(page);
    expect(width * height).toBeLessThanOrEqual(16_000_000);

    await (await open('damaged.pdf')).getByText('This PDF is damaged, so its pages cannot be shown.').waitFor();
    await show('pdf-damaged');
    expect(await barriers(page)).toEqual([]);
    await (await open('locked.pdf')).getByText('This PDF is protected by a password').waitFor();

    const busy = await open('busy.pdf');
    await busy.getByText('Read me').waitFor({ state: 'attached' });
    const address = page.url();
    await busy.locator('canvas').click();
    expect(await busy.locator('a, input, textarea, iframe').count()).toBe(0);
    expect(page.url()).toBe(address);

    await (await open('scanned.pdf')).getByText('Something on this page cannot be shown here.').waitFor();
    const bomb = await open('bomb.pdf');
    await bomb.getByText('This PDF unpacks to more than a browser can show.').waitFor();
    const origin = new URL(address).origin;
    const others = asked.filter((url) => new URL(url).origin !== origin && !/127\.0\.0\.1|localhost/.test(url));
    expect(others).toEqual([]);
    expect(page.context().pages()).toHaveLength(1);
  });

  test('a video is played where it is, and not before it is asked to (R215)', async () => {
    const recorder = await comesTo(await talkWith(), desk);
    const bytes = new Uint8Array(await video(recorder.page));
    const id = await talkWith(
      new File([bytes], 'walk.webm', { type: 'video/webm' }),
      new File(['no video'], 'old.mov', { type: 'video/quicktime' }),
    );
    const { page, show } = await comesTo(id, { ...phone, colorScheme: 'dark' });
    const player = page.locator('video');
    await player.waitFor();
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 1);
    expect(await player.count()).toBe(1);
    const state = () =>
      player.evaluate((one: HTMLVideoElement) => [one.paused, one.controls, one.autoplay, one.videoWidth]);
    expect(await state()).toEqual([true, true, false, 160]);
    await show('video-phone');
    expect(await barriers(page)).toEqual([]);
    expect(await tooWide(page)).toBe(false);
    await player.evaluate((one: HTMLVideoElement) => one.play());
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);
  });

  test('a conversation is saved as a zip of Markdown and files; one that is gone is named; it can be cancelled (R216)', async () => {
    const text = (name: string, content: string) => new File([content], name, { type: 'text/plain' });
    const id = await talkWith(
      text('notes.txt', 'museum, taxi'),
      text('gone.txt', 'soon gone'),
      pdfFile('a.pdf', pdf('A')),
    );
    const { page, show } = await comesTo(id, desk);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.getByRole('button', { name: 'View a.pdf' }).waitFor();
    const choose = async () => {
      await page.locator('main header').getByRole('button', { name: 'More about this conversation' }).click();
      await page.getByRole('menuitem', { name: 'Export as Markdown and files (.zip)' }).click();
    };
    expect(loaded.filter((url) => /export/.test(new URL(url).pathname))).toEqual([]);

    // The store does not answer, and the user gives up.
    let release!: () => void;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/files\/[\da-f]{32}\/f_/, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await choose();
    const dialog = page.getByRole('dialog', { name: 'Export with files' });
    await dialog.getByText('0 of 3 files').waitFor();
    await show('export-zip');
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    release();
    await page.unroute(/\/files\/[\da-f]{32}\/f_/);

    await page.route(/\/conversations\/[^/]+\/files\/.*gone\.txt/, (route) => route.fulfill({ status: 404, json: {} }));
    const [download] = await Promise.all([page.waitForEvent('download'), choose()]);
    expect(download.suggestedFilename()).toMatch(/^vigil-.*\.zip$/);
    const read = await JSZip.loadAsync(readFileSync(await download.path()), { checkCRC32: true });
    expect(Object.keys(read.files).sort()).toEqual(['conversation.md', 'files/a.pdf', 'files/notes.txt']);
    expect(await read.file('files/notes.txt')!.async('string')).toBe('museum, taxi');
    expect(await read.file('files/a.pdf')!.async('nodebuffer')).toEqual(pdf('A'));
    const markdown = await read.file('conversation.md')!.async('string');
    expect(markdown).toContain('[notes\\.txt](files/notes.txt)');
    expect(markdown).toContain('- gone\\.txt · text\\/plain · 9 bytes · **missing**');
    await dialog.waitFor({ state: 'detached' });

    // One without files has nothing to put in.
    const bare = await comesTo(await talkWith(), phone);
    await bare.page.getByRole('button', { name: 'More about this conversation' }).last().tap();
    await bare.page.getByRole('menuitem', { name: 'Export as Markdown', exact: true }).waitFor();
    expect(await bare.page.getByRole('menuitem', { name: /zip/ }).count()).toBe(0);
  });
});
