import { readFileSync } from 'node:fs';
import JSZip from 'jszip';
import type { Page } from 'playwright-core';
import { barriers, focusIsOn, phone, visitedVigil } from './support/page/browser';
import { pdf } from './support/sample-files';

// What the page shows of files other than pictures: PDFs, and video.

const desk = { viewport: { width: 1_280, height: 800 } };

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

  const stored = /\/files\/[\da-f]{32}\/f_/;
  const asked = (page: Page) => {
    const addresses: string[] = [];
    page.on('request', (request) => {
      if (/as=inline/.test(request.url())) addresses.push(request.url());
    });
    return addresses;
  };

  /** Lets addresses expire, at the store and by the page's clock. */
  async function expires(page: Page): Promise<void> {
    await vigil().advance('PT6M');
    await page.clock.setFixedTime(Date.now() + 360_000);
  }

  test('a PDF opens in a tab of another origin, or is saved (R215)', async () => {
    const id = await talkWith(pdfFile('contract.pdf', pdf('First page')));
    const { page, show } = await comesTo(id, desk);
    await page.getByRole('button', { name: 'View contract.pdf' }).click();
    const viewer = page.getByRole('dialog', { name: 'PDF: contract.pdf' });
    const open = viewer.getByRole('button', { name: 'Open in a new tab' });
    await open.waitFor();
    await show('pdf-in-tab');
    expect(await barriers(page)).toEqual([]);
    const tab = async () => {
      const [answer] = await Promise.all([
        page.context().waitForEvent('response', (answer) => stored.test(answer.url())),
        open.click(),
      ]);
      return answer;
    };
    const addresses = asked(page);
    const answer = await tab();
    const { 'content-type': type, 'content-disposition': disposition } = await answer.allHeaders();
    expect([answer.status(), type, disposition]).toEqual([200, 'application/pdf', expect.stringMatching(/^inline; /)]);
    expect(new URL(answer.url()).origin).not.toBe(new URL(page.url()).origin);
    expect(addresses).toEqual([]);
    await expires(page);
    expect((await tab()).status()).toBe(200);
    expect(addresses).toHaveLength(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: 'Download contract.pdf' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('contract.pdf');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await focusIsOn(page, 'View contract.pdf');

    const small = await comesTo(id, { ...phone, colorScheme: 'dark' });
    await small.page.getByRole('button', { name: 'View contract.pdf' }).tap();
    await small.page.getByRole('button', { name: 'Open in a new tab' }).waitFor();
    await small.show('pdf-phone');
    expect(await tooWide(small.page)).toBe(false);
    expect(await barriers(small.page)).toEqual([]);
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
