import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/**
 * The model's words as elements. Nothing of it is HTML: tags are shown as text. Links go to the web or to a mail program only, and
 * a picture is a link to it, since fetching it would tell its server who reads this.
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
  // Its text is the answer's, not a field to be filled in.
  input: ({ checked }) => <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>,
};
