import regular from '@expo-google-fonts/roboto/400Regular/Roboto_400Regular.ttf';
import bold from '@expo-google-fonts/roboto/700Bold/Roboto_700Bold.ttf';
import type { Total } from './book';
import { inDigits } from './money';

// Its ECMAScript module looks for files beside itself, which a bundle does not have.
import PDFDocument = require('pdfkit');

type Document = PDFKit.PDFDocument;

const margin = 50;
/** A4, in points. */
const page = { width: 595.28, height: 841.89 };
const end = page.width - margin;
/** Where the columns begin. Amounts end at the margin. */
const columns = { date: margin, merchant: 125, category: 350, amount: 420 };
const padding = 6;
/** Above the page's number. */
const lowest = page.height - margin - 20;

/**
 * Returns the report of one currency as a PDF: a row for each expense, and their sum. Its date is the report's last day, so the same expenses are
 * the same bytes at any time. Its fonts have the letters of Latin, Greek and Cyrillic; others are replaced (`shown`).
 */
export async function pdfOf(sum: Total, through: string): Promise<Buffer> {
  const title = `Expense report until ${through}`;
  const document = new PDFDocument({
    ...{ size: 'A4', margin, bufferPages: true, lang: 'en', displayTitle: true },
    info: { Title: title, CreationDate: new Date(`${through}T00:00:00Z`) },
    // Without one, it reads Helvetica from a file.
    font: Buffer.from(regular) as never,
  });
  document.registerFont('regular', Buffer.from(regular)).registerFont('bold', Buffer.from(bold));
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => document.on('end', resolve).on('error', reject));
  drawReport(document, sum, title);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawReport(document: Document, { currency, units, expenses }: Total, title: string): void {
  const count = `${expenses.length} ${expenses.length === 1 ? 'expense' : 'expenses'} in ${currency}`;
  document.font('bold').fontSize(18).text(title, margin, margin);
  document.font('regular').fontSize(10).text(count).moveDown();
  let y = heading(document, document.y, currency);
  document.font('regular');
  for (const one of expenses) {
    const merchant = shown(document, one.merchant);
    const height = document.heightOfString(merchant, { width: widthOf('merchant') }) + padding;
    if (y + height > lowest) {
      document.addPage();
      y = heading(document, margin, currency);
      document.font('regular');
    }
    row(document, y, [one.date, merchant, one.category, inDigits(one.units, currency)]);
    y += height;
  }
  if (y + 30 > lowest) {
    document.addPage();
    y = margin;
  }
  line(document, y);
  document.font('bold');
  row(document, y + padding, ['Total', '', '', `${inDigits(units, currency)} ${currency}`]);
  numberPages(document);
}

/** @returns where the rows begin. */
function heading(document: Document, y: number, currency: string): number {
  document.font('bold');
  row(document, y, ['Date', 'Merchant', 'Category', `Amount (${currency})`]);
  const below = document.y + padding;
  line(document, below);
  return below + padding;
}

function row(document: Document, y: number, [date, merchant, category, amount]: [string, string, string, string]) {
  document.text(date, columns.date, y, { width: widthOf('date') });
  document.text(merchant, columns.merchant, y, { width: widthOf('merchant') });
  document.text(category, columns.category, y, { width: widthOf('category') });
  document.text(amount, columns.amount, y, { width: widthOf('amount'), align: 'right' });
}

function widthOf(column: keyof typeof columns): number {
  const next = Object.values(columns).find((x) => x > columns[column]);
  return (next === undefined ? end : next - padding) - columns[column];
}

const line = (document: Document, y: number) => document.moveTo(margin, y).lineTo(end, y).lineWidth(0.5).stroke();

function numberPages(document: Document): void {
  const { count } = document.bufferedPageRange();
  document.font('regular').fontSize(9);
  for (let number = 1; number <= count; number++) {
    document.switchToPage(number - 1);
    // Text below the margin would begin another page.
    document.page.margins.bottom = 0;
    const at = { width: end - margin, align: 'center' as const, lineBreak: false };
    document.text(`Page ${number} of ${count}`, margin, page.height - margin, at);
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns a text with � for each character that the font does not have, such as Chinese ones and emoji. The CSV has them. */
function shown(document: Document, text: string): string {
  const { font } = (document as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } })._font;
  const isKnown = (segment: string) => [...segment].every((one) => font.hasGlyphForCodePoint(one.codePointAt(0)!));
  return [...graphemes.segment(text.normalize('NFC'))]
    .map(({ segment }) => (isKnown(segment) ? segment : '\ufffd'))
    .join('');
}
