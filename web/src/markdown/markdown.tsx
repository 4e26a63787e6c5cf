import { createContext, memo, use } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Away } from './away';
import { CodeBlock } from './code-block';
import { CopyButton } from './copy-button';
import { Formula } from './formula';
import { formulas } from './math-syntax';
import { Scroller } from './scroller';
import { sides } from './sides';
import { tableToCopy, textOf } from './table-cells';

/**
 * Renders the model's Markdown as elements. HTML in it is shown as text. Links open only web and mail addresses, and say
 * which. A picture is shown as a link, because loading it would tell its server who is reading.
 *
 * @param props `growing`: more of the text follows.
 */
export const Markdown = memo(function Markdown({ text, growing = false }: { text: string; growing?: boolean }) {
  return (
    <GrowsFrom value={growing ? text.trimEnd().length : Number.POSITIVE_INFINITY}>
      <div className="prose [overflow-wrap:anywhere]">
        <ReactMarkdown
          remarkPlugins={[remarkGfm, [formulas, { growing }]]}
          rehypePlugins={[sides]}
          urlTransform={safeUrl}
          components={components}
        >
          {text}
        </ReactMarkdown>
      </div>
    </GrowsFrom>
  );
});

export const safeUrl = (url: string): string => (/^(?:https?:\/\/|mailto:)/i.test(url) ? url : '');

/** The place in the text at which it grows. A block that ends there may not be complete. */
const GrowsFrom = createContext(Number.POSITIVE_INFINITY);

type Element = Parameters<typeof textOf>[0] & {
  properties?: { className?: unknown };
  position?: { end: { offset?: number } };
};

const classesOf = (node: Element | undefined): string[] => [node?.properties?.className ?? []].flat().map(String);

const components: Components = {
  a: ({ href, node, children }) => (
    <Away href={href} text={textOf(node)}>
      {children}
    </Away>
  ),
  img: ({ src, alt }) => (
    <Away href={typeof src === 'string' ? src : ''} text={alt ?? ''}>
      {alt || src}
    </Away>
  ),
  // The checkbox is part of the text, not an input.
  input: ({ checked }) => <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>,
  pre: ({ node }) => <Block node={node} />,
  code: ({ node, children }) =>
    classesOf(node).includes('math') ? (
      <Formula source={textOf(node)} isBlock={false} growing={false} />
    ) : (
      <code dir="ltr">{children}</code>
    ),
  table: ({ node, children }) => (
    <div dir="auto" className="flex items-start gap-1">
      <Scroller label="Table" className="min-w-0 overflow-x-auto">
        <table>{children}</table>
      </Scroller>
      <CopyButton label="Copy table" content={() => tableToCopy(node ?? {})} />
    </div>
  ),
};

/** A block of code or a formula. */
function Block({ node }: { node?: Element }) {
  const growing = (node?.position?.end.offset ?? 0) >= use(GrowsFrom);
  const code = node?.children?.[0];
  const classes = classesOf(code);
  if (classes.includes('math')) return <Formula source={textOf(code)} isBlock growing={growing} />;
  const language = classes.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
  return <CodeBlock code={textOf(code).replace(/\n$/, '')} language={language} growing={growing} />;
}
