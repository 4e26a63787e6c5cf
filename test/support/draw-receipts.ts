import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { fileIdOf } from '../../core/conversations/files/stored-file';
import { type Sample, samples, totalOf } from '../../local/stand-in-model/receipts/samples';
import { inDigits } from '../../tools/expenses/book/money';
import { digestOf } from './memory-file-store';

/** Where the sample receipts are. */
export const receiptsFolder = join(__dirname, '../../local/demo/receipts');

/** Returns the receipt as a page. It names no shop that exists. */
function pageOf({ merchant, date, lines, currency, isBlurred, ...sample }: Sample): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const row = (name: string, units: number, mark = 'span') =>
    `<p><${mark}>${escaped(name)}</${mark}><${mark}>${inDigits(units, currency)}</${mark}></p>`;
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 14px; width: 212px; font: 13px/1.5 monospace; background: #fff; ${isBlurred ? 'filter: blur(5px);' : ''} }
    h1 { font-size: 16px; text-align: center; margin: 0 0 2px } p { display: flex; justify-content: space-between; margin: 0 }
    .date { justify-content: center } hr { border: 0; border-top: 1px dashed #000 }
    </style><h1>${escaped(merchant)}</h1><p class="date">${date}</p><hr>
    ${lines.map(([name, cents]) => row(name, cents)).join('')}<hr>
    ${row(`TOTAL ${currency}`, totalOf({ merchant, date, lines, currency, ...sample }), 'b')}<hr><p class="date">Sample receipt</p>`;
}

/** Draws all samples with the browser at CHROMIUM_PATH, and prints their ids, which `samples.ts` has. Another browser draws other bytes. */
async function draw(): Promise<void> {
  mkdirSync(receiptsFolder, { recursive: true });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 240, height: 120 } });
  for (const sample of samples) {
    await page.setContent(pageOf(sample));
    const bytes = await page.screenshot({ fullPage: true });
    writeFileSync(join(receiptsFolder, sample.file), bytes);
    console.log(sample.file, fileIdOf(digestOf(bytes)), bytes.length);
  }
  await browser.close();
}

if (require.main === module) void draw();
