import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledReader } from '../../../../test/support/document-reader';
import { docx, relationsOf, xlsx, zip } from '../../../../test/support/sample-files';
import { documentReader } from '../document-text';

const read = documentReader({ file: bundledReader() });
const sample = (name: string) => readFileSync(join(__dirname, '../../../../test/support/samples', name));
let count = 0;
const textOf = (bytes: Uint8Array) => read(`${++count}`, 'office', bytes);
const cellOf = (place: string, value: string | number, more = '') => `<c r="${place}" ${more}><v>${value}</v></c>`;

describe('documents of Office, as their programs store them (R212)', () => {
  const lease = 'Lease\nThe rent is 950 EUR.\nMonth\tPaid\nMay\t950\nWhite words\nHidden words\n';
  const trip = 'Day\tWhat\tEUR\n2026-03-01\tMuseum\t12.5\n2026-03-02 09:30:00\tTaxi & tip\t30\n';
  const slides = '[Slide 1]\nFirst\nMay\t950\n\n[Notes of slide 1]\nSay hello\n\n[Slide 2';

  test.each([
    ['lease.docx', `${lease}Signed\n\n[Header]\nDraft 3\n\n[Comments]\nEve: Who signed?`],
    ['lease.odt', `${lease} [Comment: Who signed?\n] Signed\n\n[Header]\nDraft 3`],
    [
      'trip.xlsx',
      `[Sheet "Trip"]\n${trip}\t\t42.5\t\tTRUE\n\n[Comments on sheet "Trip"]\nB2: Two tickets\n[Sheet "Notes", hidden]\nHidden sheet`,
    ],
    [
      'trip-openpyxl.xlsx',
      `[Sheet "Trip"]\n${trip}\t\t=SUM(C2:C3)\t\tTRUE\n\n[Comments on sheet "Trip"]\nB2: Two tickets\n[Sheet "Notes", hidden]\nHidden sheet`,
    ],
    [
      'trip.ods',
      `[Sheet "Trip"]\nDay\tWhat\tEUR\n2026-03-01\t[Comment: Two tickets ] Museum\t12.5\n2026-03-02 09:30:00\tTaxi & tip\t30\n\t\t42.5\t\tTRUE\n\n[Sheet "Notes"]\nHidden sheet`,
    ],
    ['talk.pptx', `${slides}, hidden]\nSecond\nThank you`],
    ['talk.odp', `${slides}]\nSecond\nThank you`],
  ])('%s', async (name, text) => {
    expect(await textOf(sample(name))).toEqual({ text, isWhole: true });
  });

  test.each([
    ['of an old program', sample('trip.xls'), /old or unknown format; ask the user to save it as .docx/],
    ['in rich text', Buffer.from('{\\rtf1 Hello}'), /old or unknown format/],
    ['of another kind', zip({ 'readme.txt': 'Hello' }), /old or unknown format/],
    [
      'in binary',
      zip({ ...relationsOf('', { officeDocument: 'xl/workbook.bin' }), 'xl/workbook.bin': '\x83\x01' }),
      /old/,
    ],
    ['with a password', sample('locked.xlsx'), /^it is protected by a password; ask the user to send it without one$/],
    ['that is cut off', sample('lease.docx').subarray(0, 5_000), /^it is damaged$/],
    ['of zeros', Buffer.alloc(100), /^it is damaged$/],
  ])('a document %s is a line', async (_, bytes, problem) => {
    expect(await textOf(bytes)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test('what browsers call a document of Excel may be text with separators, or HTML', async () => {
    expect(await textOf(Buffer.from('museum;12\ntaxi;30\n'))).toEqual({ text: 'museum;12\ntaxi;30\n', isWhole: true });
    expect(await textOf(Buffer.from('<table><tr><td>12</td></tr></table>'))).toMatchObject({ text: '12' });
  });
});

describe('what a document may have besides (R212)', () => {
  test('words that are there twice, deleted or moved away are read once', async () => {
    const text = (words: string) => `<w:r><w:t>${words}</w:t></w:r>`;
    const box = `<mc:AlternateContent><mc:Choice>${text('a box')}</mc:Choice><mc:Fallback>${text('a box')}</mc:Fallback></mc:AlternateContent>`;
    const gone = '<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>';
    const moved = `<w:moveFrom>${text('moved ')}</w:moveFrom><w:moveTo>${text('moved ')}</w:moveTo>`;
    expect(await textOf(docx(`<w:p>${gone}${moved}${box}</w:p>`))).toEqual({ text: 'moved a box', isWhole: true });
  });

  test('entities of its own stay names, and addresses are not opened', async () => {
    const bomb = `<!DOCTYPE d [<!ENTITY a "${'x'.repeat(1_000)}"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>`;
    const body = `<w:document><w:p><w:t>&b;&f;&amp;&#65;</w:t></w:p></w:document>`;
    const main = { 'word/document.xml': bomb + body };
    const outside = relationsOf('word/document.xml', {
      header: 'https://example.com/h',
      comments: '../../../../etc/passwd',
    });
    expect(await textOf(docx('', { ...main, ...outside }))).toEqual({ text: '&b;&f;&A', isWhole: true });
  });

  test('documents inside it are not unpacked', async () => {
    const inner = docx('<w:p><w:t>Inner</w:t></w:p>').toString('latin1');
    const entries = { ...relationsOf('word/document.xml', { package: 'e.docx' }), 'word/e.docx': inner };
    expect(await textOf(docx('<w:p><w:t>Outer</w:t></w:p>', entries))).toMatchObject({ text: 'Outer' });
  });

  test('cells far away have their place, and a cell has one line', async () => {
    const strings =
      '<sst><si><t>of\ntwo lines</t></si><si><r><t>Kyo</t></r><r><t>to</t></r><rPh><t>read</t></rPh></si></sst>';
    const cells = `<row>${cellOf('A1', 1, 't="s"')}${cellOf('C1', 0, 't="s"')}${cellOf('XFD1', 9)}</row><row>${cellOf('B9', 9, 't="s"')}</row>`;
    expect(await textOf(xlsx(cells, { 'xl/strings.xml': strings }))).toMatchObject({
      text: '[Sheet "One"]\nKyoto\t\tof two lines\t[XFD1] 9\n\t…',
    });
  });

  test('of OpenDocument, rows and cells are there as often as they say; empty ones at an end are not', async () => {
    const cell = (text: string, times: number | string = 1) =>
      `<table-cell table:number-columns-repeated="${times}"><p>${text}</p></table-cell>`;
    const row = (inner: string, times: number | string = 1) =>
      `<table-row table:number-rows-repeated="${times}">${inner}</table-row>`;
    const content = (rows: string) =>
      zip({ 'content.xml': `<body><spreadsheet><table table:name="A">${rows}</table></spreadsheet></body>` });
    const taxis = await textOf(content(row(cell('Taxi') + cell('30', 2), 300) + row(cell('', 16_000), 1_000_000)));
    expect(taxis).toEqual({ text: `[Sheet "A"]\n${'Taxi\t30\t30\n'.repeat(300).trimEnd()}`, isWhole: true });
    const odd = await textOf(content(row(cell('a', '-3') + cell('b', '1.5'), 'many')));
    expect(odd).toEqual({ text: '[Sheet "A"]\na\tb', isWhole: true });
    expect(await textOf(content(row(cell('abc', 1e12), 1e12)))).toMatchObject({ isWhole: false });
  });

  test('of OpenDocument, lists continue where they say so, and headings have their numbers', async () => {
    const numbered = (level: number, more: string) =>
      `<text:list-level-style-number text:level="${level}" ${more}></text:list-level-style-number>`;
    const styles = `<styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/></text:outline-style>
      <text:list-style style:name="L">${numbered(1, 'style:num-format="1" style:num-suffix=")"')}${numbered(2, 'style:num-format="i"')}</text:list-style></styles>`;
    const item = (text: string, inner = '') => `<text:list-item><text:p>${text}</text:p>${inner}</text:list-item>`;
    const list = (items: string, more = '') => `<text:list text:style-name="L" ${more}>${items}</text:list>`;
    const body = [
      '<text:h text:outline-level="1">Plan</text:h>',
      list(item('Pay', `<text:list>${item('by card')}${item('in cash')}</text:list><text:p>today</text:p>`)),
      '<text:p>Then</text:p>',
      list(item('Go'), 'text:continue-numbering="true"'),
      list(item('Wash') + `<text:list-item text:start-value="7"><text:p>Dry</text:p></text:list-item>`),
    ].join('');
    const odt = zip({ 'styles.xml': styles, 'content.xml': `<body><text>${body}</text></body>` });
    const text = '1. Plan\n1) Pay\ni by card\nii in cash\ntoday\nThen\n2) Go\n1) Wash\n7) Dry';
    expect(await textOf(odt)).toEqual({ text, isWhole: true });
  });

  test('boxes and choices of a form of Word are read, and symbols of fonts as what they show', async () => {
    const field = (inner: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${inner}</w:ffData></w:fldChar></w:r>`;
    const choices = '<w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/>';
    const body = [
      field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>'),
      field('<w:checkBox><w:default w:val="0"/></w:checkBox>'),
      field(`<w:ddList>${choices}</w:ddList>`),
      '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Other" w:char="F041"/></w:r>',
    ].join('');
    expect(await textOf(docx(`<w:p>${body}</w:p>`))).toEqual({ text: '[x][ ]blue☑', isWhole: true });
  });

  test('a sheet that names no part, or one of another document, is empty', async () => {
    const sheets = '<sheet name="Lost" r:id="r9"/><sheet name="One" r:id="r0"/>';
    const text = '[Sheet "Lost"]\n\n[Sheet "One"]\n5';
    expect(await textOf(xlsx(`<row>${cellOf('A1', 5)}</row>`, {}, sheets))).toEqual({ text, isWhole: true });
  });
});
