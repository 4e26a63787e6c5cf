import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type LocalCloud, startLocalCloud } from '../local/cloud';
import { s3FileStore } from '../runtime/file-store';
import { type Handwritten, handwritten } from './support/handwritten/assembly';
import { bucketFunctions, bucketName, bucketResources, keysOf } from './support/handwritten/bucket';
import { openBrowser } from './support/page/browser';

// What a browser does with signed addresses: under the security policy of the local page, and from another site.

const folder = mkdtempSync(join(tmpdir(), 'vigil-upload-'));
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const bytes = Buffer.from(pixel, 'base64');
let made: Handwritten;
let cloud: LocalCloud;
let browser: Browser;

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>');
  made = handwritten(bucketResources(), bucketFunctions);
  cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory, web: folder });
  browser = await openBrowser();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await cloud.stop();
  made.remove();
  rmSync(folder, { recursive: true });
});

const open = async (url: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  return page;
};

/** Runs in the page. */
async function visit({
  up,
  down,
  sent,
}: {
  up: { url: string; headers: Record<string, string> };
  down: string;
  sent: string;
}) {
  const body = Uint8Array.from(atob(sent), (one) => one.charCodeAt(0));
  const status = (answer: Promise<Response>) =>
    answer.then(
      (one) => one.status as number | string,
      () => 'refused',
    );
  const uploaded = await status(fetch(up.url, { method: 'PUT', headers: up.headers, body }));
  const picture = new Image();
  const shown = new Promise((resolve) => {
    picture.onload = () => resolve(`${picture.width} × ${picture.height}`);
    picture.onerror = () => resolve('refused');
  });
  picture.src = down;
  return { uploaded, read: await status(fetch(down)), shown: await shown };
}

test('the page sends a file and shows it; a page of another site sends and reads nothing, even with an address (R211)', async () => {
  const store = s3FileStore({
    bucket: bucketName,
    region: 'us-east-1',
    endpoint: cloud.awsUrl,
    credentials: () => keysOf('Keeper', made.stateDirectory),
  });
  const file = (key: string) => ({
    key: `files/${key}`,
    mediaType: 'image/png',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('base64'),
  });
  const visitTo = async (address: string, key: string) => {
    const page = await open(address);
    const up = await store.uploadAddress(file(key), 60);
    const down = await store.downloadAddress(file(key), { inline: true, expiresInSeconds: 60 });
    const did = await page.evaluate(visit, { up, down, sent: pixel });
    await page.context().close();
    return { ...did, stored: (await store.find(`files/${key}`)) !== undefined };
  };
  const all = { uploaded: 200, read: 200, shown: '1 × 1', stored: true };
  expect(await visitTo(cloud.url, 'a')).toEqual(all);
  expect(await visitTo(cloud.url.replace('127.0.0.1', 'localhost'), 'b')).toEqual(all);
  const nothing = { uploaded: 'refused', read: 'refused', shown: 'refused', stored: false };
  expect(await visitTo('data:text/html,<p>Hello</p>', 'c')).toEqual(nothing);
});
