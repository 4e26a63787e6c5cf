import { Parser } from 'htmlparser2';
import { addressAfter } from './address-after';

const unseen = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object', 'rp']);
const inline = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i img input ins kbd label mark q rb rt ruby s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const isHiddenBy = (style = ''): boolean => /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);

/** Stands for a space or a line that is kept, until the others are tidied. */
const [keptSpace, keptLine] = ['\uE000', '\uE001'];

/**
 * Returns the text of a page as a person reads it: lists with their marks, a line for each row of a table with tabs between the cells, links
 * with their addresses, fields with their values.
 *
 * @param characters the text is at most about twice as long.
 */
export function readHtml(html: string, characters: number): { text: string; isWhole: boolean } {
  let text = '';
  let depth = 0;
  /** The depth of the element that is not shown, with all that is in it. */
  let hidden = 0;
  let preformatted = 0;
  let isWhole = true;
  const lists: { next: number | undefined }[] = [];
  const links: { from: number; address?: string }[] = [];
  const add = (piece: string) => {
    if (hidden) return;
    if (text.length < characters * 2) text += piece;
    else isWhole &&= piece.trim() === '';
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      const { hidden: isHidden, 'aria-hidden': ariaHidden, style, value = '', type = 'text' } = attributes;
      if (!hidden && (unseen.has(name) || isHidden !== undefined || ariaHidden === 'true' || isHiddenBy(style)))
        hidden = depth;
      if (name === 'td' || name === 'th') add('\t');
      else if (name === 'br') add(keptLine);
      else if (!inline.has(name)) add('\n');
      if (name === 'pre' || name === 'textarea') preformatted += 1;
      else if (name === 'ul' || name === 'menu') lists.push({ next: undefined });
      else if (name === 'ol') lists.push({ next: Number(attributes.start ?? 1) });
      else if (name === 'li') {
        const list = lists.at(-1);
        if (list?.next !== undefined && attributes.value) list.next = Number(attributes.value);
        add(list?.next === undefined ? '- ' : `${list.next++}. `);
      } else if (name === 'a') links.push({ from: text.length, address: attributes.href });
      else if (name === 'input') {
        if (/^(?:checkbox|radio)$/i.test(type)) add(attributes.checked === undefined ? '[ ] ' : '[x] ');
        else if (!/^(?:hidden|password)$/i.test(type)) add(value);
      }
    },
    ontext(piece) {
      add(
        preformatted > 0 ? piece.replace(/[^\S\n]/g, keptSpace).replaceAll('\n', keptLine) : piece.replace(/\s+/g, ' '),
      );
    },
    onclosetag(name) {
      if (name === 'a') {
        const link = links.pop();
        if (link) add(addressAfter(text.slice(link.from), link.address));
      } else if (name === 'ul' || name === 'ol' || name === 'menu') lists.pop();
      else if (name === 'pre' || name === 'textarea') preformatted -= 1;
      if (hidden === depth) hidden = 0;
      depth -= 1;
      if (!inline.has(name) && name !== 'td' && name !== 'th' && name !== 'br') add('\n');
    },
  });
  parser.end(html);
  const tidy = text
    .replace(/[^\S\n\t]+/g, ' ')
    .replace(/ ?([\n\t]) ?/g, '$1')
    // The first cell of a row begins the line.
    .replace(/\n\t/g, '\n')
    .replaceAll(keptSpace, ' ')
    .replaceAll(keptLine, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\s+$/g, '');
  return { text: tidy, isWhole };
}
