import { TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { targetOf } from '../state/link-target';

/**
 * Renders the model's Markdown as elements. HTML in it is shown as text. Links open only web and mail addresses, and say
 * which. A picture is shown as a link, because loading it would tell its server who is reading.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="prose [overflow-wrap:anywhere]">
      <ReactMarkdown remarkPlugins={[remarkGfm]} urlTransform={safeUrl} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

export const safeUrl = (url: string): string => (/^(?:https?:\/\/|mailto:)/i.test(url) ? url : '');

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
};

/** A link that leaves the page. It names its site, unless its text does. A text that names another one is marked. */
function Away({ href, text, children }: { href?: string; text: string; children: ReactNode }) {
  if (!href) return <span>{children}</span>;
  const { place, isSaid, deceit } = targetOf(href, text);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
      {deceit ? (
        <span className="link-deceit">
          {/* Heard, not seen. */} <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-0.1em]" />
          leads to <bdi>{place}</bdi>: {deceit}
        </span>
      ) : (
        !isSaid && (
          <span className="link-place">
            {' '}
            (<bdi>{place}</bdi>)
          </span>
        )
      )}
    </a>
  );
}

interface Node {
  value?: unknown;
  properties?: { alt?: unknown };
  children?: Node[];
}

/** What a reader sees of an element, with the descriptions of its pictures. */
const textOf = ({ value, properties, children = [] }: Node = {}): string =>
  String(value ?? properties?.alt ?? '') + children.map(textOf).join('');
