/** Makes the files of the corpus that Node's programs write, and says in expected.json what a person reads in them. See ../README.md. */
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

// The programs are installed in the folder that this is run in.
const require = createRequire(join(process.cwd(), 'package.json'));
const out = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const read = (name) => JSON.parse(readFileSync(join(out, name), 'utf8'));
const content = read('make/content.json');
const numbers = read('make/numbers.json');
const fonts = '/usr/share/fonts/truetype/';
const dejavu = `${fonts}dejavu/DejaVuSans.ttf`;
const fontOf = { ja: '/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf' };

const entries = {};
/** Notes what a person reads in a file: its words, and the rows of its tables. */
function say(name, program, text, rows) {
  const version = JSON.parse(
    readFileSync(join(process.cwd(), 'node_modules', program, 'package.json'), 'utf8'),
  ).version;
  entries[name] = {
    program: `${program} ${version}`,
    text: text.join('\n'),
    ...(rows && { rows: rows.map((row) => row.map(String)) }),
  };
}
const cellsOf = (one) => one.table.flat();

// --- Excel ---

const ExcelJS = require('exceljs');

async function exceljs(name, fill) {
  const book = new ExcelJS.Workbook();
  const [text, rows] = fill(book);
  await book.xlsx.writeFile(join(out, name));
  say(name, 'exceljs', text, rows);
}

await exceljs('exceljs-numbers.xlsx', (book) => {
  const sheet = book.addWorksheet('Zahlen');
  for (const [at, [value, code]] of numbers.entries()) {
    sheet.getCell(at + 1, 3).value = value;
    sheet.getCell(at + 1, 3).numFmt = code;
    sheet.getCell(at + 1, 1).value = `Wert ${at + 1}`;
  }
  return [['Zahlen'], numbers.map(([, , shown], at) => [`Wert ${at + 1}`, shown])];
});
await exceljs('exceljs-cells.xlsx', (book) => {
  const sheet = book.addWorksheet('Cells', { state: 'visible' });
  sheet.addRow(['Day', 'What', 'Sum']);
  sheet.addRow([
    new Date('2026-03-01T00:00:00Z'),
    { richText: [{ text: 'Mu' }, { font: { bold: true }, text: 'seum 5' }] },
    12.5,
  ]);
  sheet.getCell('A2').numFmt = 'dddd, d mmm yyyy';
  sheet.addRow([
    new Date('2026-03-02T09:30:00Z'),
    { text: 'The terms', hyperlink: 'https://example.org/terms?v=2' },
    { formula: 'C2*2', result: 25 },
  ]);
  sheet.getCell('A3').numFmt = 'd/m/yy h:mm';
  sheet.addRow([true, { error: '#N/A' }, { formula: 'A1&"!"', result: 'Day!' }]);
  sheet.getCell('B2').note = 'Two tickets for 18:45';
  sheet.mergeCells('A6:C7');
  sheet.getCell('A6').value = 'Merged over 6 cells';
  const hidden = book.addWorksheet('Quiet', { state: 'hidden' });
  hidden.addRow(['hidden row 71']);
  return [
    ['Cells', 'Quiet', 'https://example.org/terms?v=2', 'Two tickets for 18:45'],
    [
      ['Day', 'What', 'Sum'],
      ['2026-03-01', 'Museum 5', '12.5'],
      ['2026-03-02 09:30:00', 'The terms', '25'],
      ['TRUE', '#N/A', 'Day!'],
      ['Merged over 6 cells'],
      ['hidden row 71'],
    ],
  ];
});
for (const language of ['tr', 'hi', 'he']) {
  await exceljs(`exceljs-${language}.xlsx`, (book) => {
    const one = content[language];
    const sheet = book.addWorksheet(one.table[0][0], { views: [{ rightToLeft: language === 'he' }] });
    sheet.addRows(one.table);
    sheet.addRow([]);
    sheet.addRow([one.text[0], '', one.link[0]]);
    return [[one.table[0][0]], [...one.table, [one.text[0], one.link[0]]]];
  });
}

const XLSX = require('xlsx');

function sheetjs(name, cells, rows, options = {}) {
  const book = XLSX.utils.book_new();
  const sheet = XLSX.utils.aoa_to_sheet(cells);
  XLSX.utils.book_append_sheet(book, sheet, 'Sheet A');
  writeFileSync(join(out, name), XLSX.write(book, { type: 'buffer', compression: true, ...options }));
  say(name, 'xlsx', ['Sheet A'], rows);
}
const formatted = numbers.map(([value, z]) => [{ t: 'n', v: value, z }]);
const shownOnly = numbers.map(([, , shown]) => [shown]);
sheetjs('sheetjs-numbers.xlsx', formatted, shownOnly, { bookType: 'xlsx' });
const plain = numbers.map(([value], at) => [`n${at}`, value]);
const shownPlain = { 0.00012299999999999998: '0.000123' };
const plainRows = numbers.map(([value], at) => [`n${at}`, shownPlain[value] ?? String(Number(value.toPrecision(15)))]);
sheetjs('sheetjs-plain.xlsx', plain, plainRows, { bookType: 'xlsx', bookSST: true });
sheetjs('sheetjs-plain.ods', plain, plainRows, { bookType: 'ods' });
for (const [language, bookType] of [
  ['de', 'xlsx'],
  ['ja', 'xlsx'],
  ['ru', 'ods'],
  ['ar', 'ods'],
  ['es', 'html'],
  ['pl', 'csv'],
]) {
  const one = content[language];
  const rows = [...one.table, [one.title, '', one.text[0]], ['00042', true, 12345678901234]];
  const shown = [
    ...one.table,
    [one.title, one.text[0]],
    ['00042', 'TRUE', bookType === 'xlsx' || bookType === 'ods' ? '12345678901234' : '1.23457E+13'],
  ];
  const name = `sheetjs-${language}.${bookType}`;
  sheetjs(name, rows, bookType === 'csv' ? undefined : shown, { bookType });
  if (bookType === 'html' || bookType === 'csv') entries[name].text = '';
  if (bookType === 'csv')
    entries[name].text = rows
      .map((row) =>
        row
          .map((cell) => (/,/.test(cell) ? `"${cell}"` : String(cell).toUpperCase() === 'TRUE' ? 'TRUE' : cell))
          .join(','),
      )
      .join('\n')
      .replace('12345678901234', '1.23457E+13');
}

// --- Word ---

const docx = require('docx');

async function word(language) {
  const one = content[language];
  const { Paragraph, TextRun, LevelFormat } = docx;
  const cell = (text) => new docx.TableCell({ children: [new Paragraph(text)] });
  const doc = new docx.Document({
    numbering: {
      config: [
        {
          reference: 'steps',
          levels: [
            { level: 0, format: LevelFormat.UPPER_ROMAN, text: '%1.' },
            { level: 1, format: LevelFormat.DECIMAL, text: '%1.%2)' },
          ],
        },
        { reference: 'letters', levels: [{ level: 0, format: LevelFormat.LOWER_LETTER, text: '(%1)', start: 3 }] },
      ],
    },
    comments: { children: [{ id: 0, author: 'Eve', children: [new Paragraph(one.note)] }] },
    footnotes: { 1: { children: [new Paragraph(one.header)] } },
    sections: [
      {
        headers: { default: new docx.Header({ children: [new Paragraph(one.header)] }) },
        footers: {
          default: new docx.Footer({
            children: [
              new Paragraph({
                children: [new TextRun(one.footer), new TextRun({ children: [' / ', docx.PageNumber.CURRENT] })],
              }),
            ],
          }),
        },
        children: [
          new Paragraph({ text: one.title, heading: docx.HeadingLevel.HEADING_1 }),
          new Paragraph({ children: [new TextRun(one.text[0]), new docx.FootnoteReferenceRun(1)] }),
          ...one.items.flatMap((item, at) => [
            new Paragraph({ text: item, numbering: { reference: 'steps', level: 0 } }),
            ...(at === 1
              ? one.inner.map((text) => new Paragraph({ text, numbering: { reference: 'steps', level: 1 } }))
              : []),
          ]),
          ...one.inner.map((text) => new Paragraph({ text, numbering: { reference: 'letters', level: 0 } })),
          new docx.Table({ rows: one.table.map((row) => new docx.TableRow({ children: row.map(cell) })) }),
          new Paragraph({
            children: [
              new docx.ExternalHyperlink({ link: one.link[1], children: [new TextRun(one.link[0])] }),
              new docx.CommentRangeStart(0),
              new TextRun(' ' + one.text[1]),
              new docx.CommentRangeEnd(0),
              new TextRun({ children: [new docx.CommentReference(0)] }),
            ],
          }),
          new Paragraph({ children: [new docx.CheckBox({ checked: true }), new TextRun(' 55')] }),
          new Paragraph({
            children: [
              new TextRun('x'),
              new TextRun({ text: '3', superScript: true }),
              new TextRun(' + y'),
              new TextRun({ text: '1', subScript: true }),
            ],
          }),
        ],
      },
    ],
  });
  const name = `docx-${language}.docx`;
  writeFileSync(join(out, name), await docx.Packer.toBuffer(doc));
  const [first, second, third] = one.items;
  const inner = one.inner;
  say(
    name,
    'docx',
    [
      one.title,
      one.text[0],
      `I. ${first}`,
      `II. ${second}`,
      `II.1) ${inner[0]}`,
      `II.2) ${inner[1]}`,
      `III. ${third}`,
      `(c) ${inner[0]}`,
      `(d) ${inner[1]}`,
      ...one.link,
      one.text[1],
      '☒ 55',
      'x³ + y₁',
      one.header,
      one.footer,
      one.header,
      'Eve',
      one.note,
    ],
    one.table,
  );
}
for (const language of ['en', 'pl', 'tr', 'he', 'ja']) await word(language);

// --- PowerPoint ---

const PptxGenJS = require('pptxgenjs');

async function slides(language) {
  const one = content[language];
  const talk = new PptxGenJS();
  const first = talk.addSlide();
  first.addText(one.title, { x: 1, y: 0.5, w: 8, h: 1 });
  first.addText(
    one.items.map((text) => ({ text, options: { bullet: { type: 'number' }, breakLine: true } })),
    { x: 1, y: 1.5, w: 8, h: 2 },
  );
  first.addNotes(one.note);
  const second = talk.addSlide();
  second.addTable(
    one.table.map((row) => row.map((text) => ({ text }))),
    { x: 1, y: 1, w: 8 },
  );
  second.addText([{ text: one.link[0], options: { hyperlink: { url: one.link[1] } } }, { text: ` ${one.text[1]}` }], {
    x: 1,
    y: 3,
    w: 8,
    h: 1,
  });
  const name = `pptxgenjs-${language}.pptx`;
  await talk.writeFile({ fileName: join(out, name), compression: true });
  say(
    name,
    'pptxgenjs',
    [one.title, ...one.items.map((item, at) => `${at + 1}. ${item}`), one.note, ...one.link, one.text[1]],
    one.table,
  );
}
for (const language of ['zh']) await slides(language);

// --- PDF ---

const { PDFDocument, StandardFonts, degrees } = require('pdf-lib');
const fontkit = require('@pdf-lib/fontkit');

async function pdflib(name, fill) {
  const pdf = await PDFDocument.create();
  pdf.registerFontkit(fontkit);
  const text = await fill(pdf);
  writeFileSync(join(out, name), await pdf.save());
  say(name, 'pdf-lib', text);
}
const oneLetter = async (pdf, language) => {
  const one = content[language];
  const font = await pdf.embedFont(readFileSync(fontOf[language] ?? dejavu), { subset: true });
  const page = pdf.addPage([620, 300]);
  const lines = [one.title, ...one.text, ...one.items, ...one.table.flat()];
  for (const [at, line] of lines.entries()) page.drawText(line, { x: 20, y: 270 - at * 14, size: 9, font });
  return lines;
};
for (const language of ['es', 'ru', 'ja']) await pdflib(`pdf-lib-${language}.pdf`, (pdf) => oneLetter(pdf, language));
await pdflib('pdf-lib-form.pdf', async (pdf) => {
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([400, 300]);
  const form = pdf.getForm();
  const at = (label, y) => page.drawText(label, { x: 20, y, size: 11, font });
  at('Name of the tenant', 260);
  const field = form.createTextField('name');
  field.setText('Zoë Brontë 12');
  field.addToPage(page, { x: 150, y: 255, width: 150, height: 18 });
  at('Remarks', 230);
  const remarks = form.createTextField('remarks');
  remarks.enableMultiline();
  remarks.setText('Two dogs\nand 3 cats');
  remarks.addToPage(page, { x: 150, y: 205, width: 150, height: 36 });
  at('Parking', 180);
  const ticked = form.createCheckBox('parking');
  ticked.addToPage(page, { x: 150, y: 178, width: 12, height: 12 });
  ticked.check();
  at('Furnished', 160);
  form.createCheckBox('furnished').addToPage(page, { x: 150, y: 158, width: 12, height: 12 });
  at('Floor', 140);
  const floor = form.createDropdown('floor');
  floor.addOptions(['first', 'second', 'third']);
  floor.select('second');
  floor.addToPage(page, { x: 150, y: 135, width: 90, height: 18 });
  at('Colours', 110);
  const colours = form.createOptionList('colours');
  colours.addOptions(['red', 'green', 'blue']);
  colours.enableMultiselect();
  colours.select(['red', 'blue']);
  colours.addToPage(page, { x: 150, y: 85, width: 90, height: 40 });
  at('Begin 2027', 60);
  const begin = form.createRadioGroup('begin');
  begin.addOptionToPage('January', page, { x: 150, y: 58, width: 12, height: 12 });
  begin.addOptionToPage('June', page, { x: 230, y: 58, width: 12, height: 12 });
  page.drawText('January', { x: 166, y: 60, size: 11, font });
  page.drawText('June', { x: 246, y: 60, size: 11, font });
  begin.select('June');
  return [
    'Name of the tenant Zoë Brontë 12',
    'Remarks Two dogs and 3 cats',
    'Parking [x]',
    'Furnished [ ]',
    'Floor second',
    'Colours red, blue',
    'Begin 2027 [ ] January [x] June',
  ];
});
await pdflib('pdf-lib-flattened.pdf', async (pdf) => {
  const page = pdf.addPage([300, 150]);
  const form = pdf.getForm();
  const field = form.createTextField('iban');
  field.setText('DE02 1203 0000 0000 2020 51');
  field.addToPage(page, { x: 20, y: 90, width: 220, height: 20 });
  form.flatten();
  return ['DE02 1203 0000 0000 2020 51'];
});
await pdflib('pdf-lib-turned.pdf', async (pdf) => {
  const font = await pdf.embedFont(StandardFonts.TimesRoman);
  const page = pdf.addPage([300, 300]);
  page.drawText('Upright line 11', { x: 20, y: 250, size: 12, font });
  page.drawText('Turned line 22', { x: 280, y: 50, size: 12, font, rotate: degrees(90) });
  page.drawText('Slanted line 33', { x: 50, y: 100, size: 12, font, rotate: degrees(30) });
  const second = pdf.addPage([300, 200]);
  second.setRotation(degrees(90));
  second.drawText('Second page 44, 5.5 %', { x: 20, y: 100, size: 12, font });
  return ['Upright line 11', 'Turned line 22', 'Slanted line 33', 'Second page 44, 5.5 %'];
});

const PDFKit = require('pdfkit');

async function pdfkit(name, fill) {
  const pdf = new PDFKit({ size: 'A5', info: { CreationDate: new Date('2026-11-30T00:00:00Z') } });
  const stream = pdf.pipe(createWriteStream(join(out, name)));
  const text = fill(pdf);
  pdf.end();
  await finished(stream);
  say(name, 'pdfkit', text);
}
for (const language of ['en', 'el', 'pl']) {
  await pdfkit(`pdfkit-${language}.pdf`, (pdf) => {
    const one = content[language];
    pdf.font(fontOf[language] ?? dejavu).fontSize(9);
    pdf.text(one.title).moveDown();
    for (const text of one.text) pdf.text(text, { align: 'justify' });
    pdf.list(one.inner, { listType: 'numbered' });
    pdf.text(one.link[0], { link: one.link[1], underline: true });
    pdf.addPage().text(one.note, 60, 60, { columns: 2, columnGap: 15, width: 300 });
    for (const [row, cells] of one.table.entries())
      for (const [column, cell] of cells.entries())
        pdf.text(cell, 60 + column * 90, 120 + row * 20, { lineBreak: false });
    return [
      one.title,
      ...one.text,
      ...one.inner.map((item, at) => `${at + 1}. ${item}`),
      one.link[0],
      one.note,
      ...cellsOf(one),
    ];
  });
}
await pdfkit('pdfkit-spaced.pdf', (pdf) => {
  pdf.font('Helvetica').fontSize(10);
  pdf.text('Spread words 909', { characterSpacing: 2 });
  pdf.text('Wide gaps between 4 words', { wordSpacing: 8 });
  pdf.text('office affairs fly off, 5 flights', { features: ['liga'] });
  pdf.fontSize(6).text('E = mc', { continued: true }).text('2', { continued: true, rise: 3 }).text(' and done');
  pdf.note(60, 300, 30, 30, 'Call back on 0171 555 12');
  return [
    'Spread words 909',
    'Wide gaps between 4 words',
    'office affairs fly off, 5 flights',
    'Call back on 0171 555 12',
    'and done',
  ];
});

// --- Mail ---

const nodemailer = require('nodemailer');

async function mail(name, subject, more, text, rows) {
  const sender = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const { message } = await sender.sendMail({
    from: { name: 'Łukasz Żak', address: 'lukasz@example.org' },
    to: [{ name: 'Δήμητρα', address: 'dimitra@example.org' }],
    cc: 'team@example.org',
    subject,
    date: new Date('2026-11-28T20:05:00Z'),
    messageId: '<1@example.org>',
    ...more,
  });
  writeFileSync(join(out, name), message);
  say(
    name,
    'nodemailer',
    [
      'From: Łukasz Żak <lukasz@example.org>',
      'To: Δήμητρα <dimitra@example.org>',
      'Cc: team@example.org',
      'Date: 2026-11-28T20:05:00.000Z',
      `Subject: ${subject}`,
      ...text,
    ],
    rows,
  );
}
await mail(
  'nodemailer-text.eml',
  'Zażółć gęślą jaźń 2026',
  { text: [...content.pl.text, ...content.pl.items].join('\n') },
  [...content.pl.text, ...content.pl.items],
);
await mail(
  'nodemailer-html.eml',
  '家賃について 98500',
  {
    html: `<h2>${content.ja.title}</h2><p>${content.ja.text[0]}</p><ol><li>${content.ja.items.join('<li>')}</ol><table><tr><td>月<td>98500</table>`,
  },
  [content.ja.title, content.ja.text[0], ...content.ja.items.map((item, at) => `${at + 1}. ${item}`)],
  [['月', '98500']],
);
await mail(
  'nodemailer-both.eml',
  'Re: Schlüssel Nummer 8',
  {
    text: 'Ja, 17 Uhr passt.\n> Passt 17 Uhr?',
    html: '<p>Ja, 17 Uhr passt.</p><blockquote>Passt 17 Uhr?</blockquote>',
  },
  ['Ja, 17 Uhr passt.', 'Passt 17 Uhr?'],
);
await mail(
  'nodemailer-attached.eml',
  'Two papers, 31 pages',
  {
    text: 'Both are below. 12 of them matter.',
    attachments: [
      { filename: 'Größe.html', content: '<p>Fläche: 83,5 m</p><script>no(1)</script>' },
      {
        filename: 'notiz.txt',
        content: Buffer.from('Zähler 00731\n', 'latin1'),
        contentType: 'text/plain; charset=iso-8859-1',
      },
    ],
  },
  ['Both are below. 12 of them matter.', 'Größe.html', 'Fläche: 83,5 m', 'notiz.txt', 'Zähler 00731'],
);

const path = join(out, 'expected.json');
const known = existsSync(path) ? read('expected.json') : {};
const all = Object.entries({ ...known, ...entries }).sort(([one], [other]) => (one < other ? -1 : 1));
writeFileSync(path, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
console.log(Object.keys(entries).length, 'files');
