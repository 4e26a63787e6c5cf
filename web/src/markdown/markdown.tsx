import { createContext, memo, type ReactNode, use, useMemo, useState } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { t } from '../languages/catalogue';
import { Away, safeUrl } from './away';
import { type Block, blocksOf, toParse } from './blocks';
import { budget } from './budget';
import { CodeBlock } from './code-block';
import { CopyButton } from './copy-button';
import { flatMarks, withFlatMarks } from './flat-marks';
import { Formula } from './formula';
import { formulas } from './math-syntax';
import { withOpenEnd } from './open-end';
import { Scroller } from './scroller';
import { tableToCopy, textOf } from './table-cells';

interface Node {
  type?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

/**
 * Gives each block its side: right to left if its first letter is. Only the outermost blocks, because a browser leaves elements with a side of
 * their own out when it looks for a list's first letter. What is inside has its side by CSS (`unicode-bidi: plaintext`).
 */
const sides = () => (tree: Node) => {
  for (const block of tree.children ?? [])
    if (block.type === 'element' && block.tagName !== 'pre') block.properties = { ...block.properties, dir: 'auto' };
};

/**
 * Renders the model's Markdown as elements. HTML in it is shown as text. Links open only web and mail addresses, and say
 * which. A picture is shown as a link, because loading it would tell its server who is reading.
 *
 * @param props `growing`: more of the text follows.
 */
export const Markdown = memo(function Markdown({ text, growing = false }: { text: string; growing?: boolean }) {
  const blocks = blocksOf(text);
  return (
    <div className="prose [overflow-wrap:anywhere]">
      {blocks.map(({ text, isPlain }, index) => (
        <Part key={index} text={text} isPlain={isPlain} growing={growing && index === blocks.length - 1} />
      ))}
    </div>
  );
});

const Part = memo(function Part({ text, isPlain, growing }: Block & { growing: boolean }) {
  const [parsed, setParsed] = useState(text);
  const wanted = toParse(text, parsed, growing);
  if (wanted !== parsed) setParsed(wanted);
  const drawn = useMemo(() => (growing && !isPlain ? withOpenEnd(wanted) : wanted), [wanted, isPlain, growing]);
  const { elements, isSpent } = useMemo(() => elementsOf(drawn, isPlain, growing), [drawn, isPlain, growing]);
  return (
    <GrowsFrom value={growing ? drawn.trimEnd().length : Number.POSITIVE_INFINITY}>
      {elements}
      {isSpent && (
        <p className="text-faint text-xs">
          {t('Part of this is shown as it was written: it has too many signs for formatted text.')}
        </p>
      )}
    </GrowsFrom>
  );
});

function elementsOf(text: string, isPlain: boolean, growing: boolean): { elements: ReactNode; isSpent: boolean } {
  const spent = { isSpent: false };
  try {
    if (!isPlain) {
      const remarkPlugins = [
        remarkGfm,
        [formulas, { growing }],
        [budget, { length: text.length, spent }],
      ] as Options['remarkPlugins'];
      const elements = ReactMarkdown({
        remarkPlugins,
        rehypePlugins: [sides, flatMarks],
        urlTransform: safeUrl,
        components,
        children: text,
      });
      return { elements, ...spent };
    }
  } catch {
    // A fault of the parser costs the appearance, not the words.
  }
  return {
    elements: (
      <p dir="auto" className="whitespace-pre-wrap">
        {withFlatMarks(text)}
      </p>
    ),
    isSpent: true,
  };
}

/** The place in the text at which it grows. A block that ends there may not be complete. */
const GrowsFrom = createContext(Number.POSITIVE_INFINITY);

const InLink = createContext(false);

type Element = Parameters<typeof textOf>[0] & {
  properties?: { className?: unknown };
  position?: { end: { offset?: number } };
};

const classesOf = (node: Element | undefined): string[] => [node?.properties?.className ?? []].flat().map(String);

const components: Components = {
  // A formula in a link shows its source, because what it draws may read as another address.
  a: ({ href, node, children }) => (
    <InLink value={true}>
      <Away href={href} text={textOf(node)}>
        {children}
      </Away>
    </InLink>
  ),
  img: ({ src, alt }) => (
    <Away href={typeof src === 'string' ? src : ''} text={alt ?? ''}>
      {alt || src}
    </Away>
  ),
  // The checkbox is part of the text, not an input.
  input: ({ checked }) => <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>,
  pre: ({ node }) => <CodeOrFormula node={node} />,
  code: ({ node, children }) =>
    classesOf(node).includes('math') && !use(InLink) ? (
      <Formula source={textOf(node)} isBlock={false} growing={false} />
    ) : (
      <code dir="ltr">{children}</code>
    ),
  table: ({ node, children }) => (
    <div dir="auto" className="relative">
      <Scroller label={t('Table')} className="edge-shadows overflow-x-auto">
        <table>{children}</table>
      </Scroller>
      <CopyButton label={t('Copy table')} content={() => tableToCopy(node ?? {})} className="table-copy" />
    </div>
  ),
  th: ({ node, style, children }) => <th style={{ ...style, minWidth: cellWidth(node) }}>{children}</th>,
  td: ({ node, style, children }) => <td style={{ ...style, minWidth: cellWidth(node) }}>{children}</td>,
};

/** The characters up to which a cell has one line. A longer text has lines of at least this length, and the table scrolls. */
const cellLine = 16;

const cellWidth = (cell: Element | undefined): string => `${Math.min(textOf(cell).length, cellLine)}ch`;

/** A block of code or a formula. */
function CodeOrFormula({ node }: { node?: Element }) {
  const growing = (node?.position?.end.offset ?? 0) >= use(GrowsFrom);
  const code = node?.children?.[0];
  const classes = classesOf(code);
  if (classes.includes('math')) return <Formula source={textOf(code)} isBlock growing={growing} />;
  const language = classes.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
  return <CodeBlock code={textOf(code).replace(/\n$/, '')} language={language} growing={growing} />;
}
