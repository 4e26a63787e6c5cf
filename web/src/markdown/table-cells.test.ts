import { cellsOf, type Node, tableToCopy } from './table-cells';

const text = (value: string): Node => ({ value });
const row = (name: string, ...cells: Node[]): Node => ({
  tagName: 'tr',
  children: [text('\n'), ...cells.map((cell) => ({ tagName: name, children: [cell] }))],
});
const table = (...rows: Node[]): Node => ({
  tagName: 'table',
  children: [
    { tagName: 'thead', children: rows.slice(0, 1) },
    { tagName: 'tbody', children: rows.slice(1) },
  ],
});

test('a table is copied as tab-separated lines and as HTML, which is text only (R158)', () => {
  const bold = { tagName: 'strong', children: [text('<b>\n& "x"')] };
  const copied = tableToCopy(table(row('th', text('City'), text('Days')), row('td', bold, text('-3.5'))));
  expect(copied.text).toBe('City\tDays\n<b> & "x"\t-3.5');
  expect(copied.html).toBe(
    '<table><tr><th>City</th><th>Days</th></tr><tr><td>&lt;b&gt; &amp; &quot;x&quot;</td><td>-3.5</td></tr></table>',
  );
});

test('no copied cell is a formula for a spreadsheet (R158)', () => {
  const cells = ['=1+1', '@SUM(A1)', '+cmd|x', '-2+3', '+1', '-12,5 %', '-', 'a=b'].map(text);
  expect(tableToCopy(table(row('td', ...cells))).text.split('\t')).toEqual([
    "'=1+1",
    "'@SUM(A1)",
    "'+cmd|x",
    "'-2+3",
    '+1',
    '-12,5 %',
    '-',
    'a=b',
  ]);
});

test('a picture is its description (R158)', () => {
  const picture = { tagName: 'img', properties: { alt: 'A map' } };
  expect(cellsOf(table(row('td', picture)))).toEqual([['A map']]);
});
