/** An element of the Markdown, as far as its text matters. */
export interface Node {
  type?: string;
  tagName?: string;
  value?: unknown;
  properties?: { alt?: unknown };
  children?: Node[];
}

/** Returns the text that a reader sees of an element, with the descriptions of its pictures. */
export const textOf = ({ value, properties, children = [] }: Node = {}): string =>
  String(value ?? properties?.alt ?? '') + children.map(textOf).join('');

/** Returns the texts of a table's cells, by rows. */
export function cellsOf(table: Node): string[][] {
  const found = (node: Node, ...names: string[]): Node[] =>
    (node.children ?? []).flatMap((child) => (names.includes(child.tagName ?? '') ? [child] : found(child, ...names)));
  return found(table, 'tr').map((row) =>
    found(row, 'th', 'td').map((cell) => textOf(cell).replace(/\s+/g, ' ').trim()),
  );
}

/** Recognizes text that a spreadsheet would calculate or ask for when it is pasted. A signed number is harmless. */
const isCalculated = (text: string): boolean =>
  /^[=@]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d.,\s]*%?$/.test(text));

/** Returns a table for the clipboard: as tab-separated lines, and as HTML. No cell of it is a formula of a spreadsheet. */
export function tableToCopy(table: Node): { text: string; html: string } {
  const rows = cellsOf(table).map((row) => row.map((text) => (isCalculated(text) ? `'${text}` : text)));
  const html = rows.map((row, index) => {
    const name = index === 0 ? 'th' : 'td';
    return `<tr>${row.map((text) => `<${name}>${escaped(text)}</${name}>`).join('')}</tr>`;
  });
  return { text: rows.map((row) => row.join('\t')).join('\n'), html: `<table>${html.join('')}</table>` };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
