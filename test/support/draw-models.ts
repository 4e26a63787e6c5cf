import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelFacts, models } from '../../core/base/models/models';

export const file = join(__dirname, '../../docs/models.md');

const section = /^<!-- models -->\n(?:\|.*\n)*/m;

/** Returns the page with the table of `core/base/models/models.ts` after its comment. */
export const drawn = (page: string): string =>
  page.replace(section, () => `<!-- models -->\n${[head, head.map(() => '---'), ...rows()].map(line).join('')}`);

const head = ['model', 'input', 'output', 'cached', 'written', 'a long request', 'window', 'files', 'until', 'read'];
const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;

const rows = (): string[][] =>
  Object.entries(models).map(([name, { price, window, takes = [], ends, published }]) => [
    `\`${name}\``,
    ...pricesOf(price),
    window ? window.toLocaleString('en-US') : '',
    takes.map((kind) => ({ image: 'pictures', pdf: 'PDF' })[kind]).join(', '),
    ends ? `${ends.on}, then \`${ends.instead}\`` : '',
    published ? `[${published.by}](${published.at}), ${published.on}` : '',
  ]);

function pricesOf(price: ModelFacts['price']): string[] {
  if (!price) return ['', '', '', '', ''];
  const { input, output, cached, written, writtenForHour, long } = price;
  const kept = [written, writtenForHour].flatMap((one) => (one === undefined ? [] : `$${one}`)).join(', ');
  const more = long && `above ${long.above.toLocaleString('en-US')} tokens: ${long.input} and ${long.output} times`;
  return [`$${input}`, `$${output}`, cached === undefined ? '' : `$${cached}`, kept, more ?? ''];
}

if (require.main === module) writeFileSync(file, drawn(readFileSync(file, 'utf8')));
