import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/**
 * Renders the model's Markdown as elements. HTML in it is shown as text. Links open only web and mail addresses. A
 * picture is shown as a link, because loading it would tell its server who is reading.
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

const away = { target: '_blank', rel: 'noopener noreferrer nofollow' };

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} {...away}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' && src ? (
      <a href={src} {...away}>
        {alt || src}
      </a>
    ) : (
      <span>{alt}</span>
    ),
  // The checkbox is part of the text, not an input.
  input: ({ checked }) => <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>,
};
