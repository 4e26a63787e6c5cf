import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../languages/rich';
import { targetOf } from '../words/link-target';

export const safeUrl = (url: string): string => (/^(?:https?:\/\/|mailto:)/i.test(url) ? url : '');

/** A link that leaves the page. It names its site, unless its text does. A text that names another one is marked. */
export function Away({ href, text, children }: { href?: string; text: string; children: ReactNode }) {
  if (!href) return <span>{children}</span>;
  const { place, isSaid, deceit } = targetOf(href, text);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {/* In front, because the text may be longer than the screen. */}
      {deceit && (
        <span className="link-deceit">
          <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-0.1em]" />
          {rich('leads to {place}: {deceit}', { place: <bdi>{place}</bdi>, deceit })} {/* Heard, not seen. */}
        </span>
      )}
      {children}
      {!deceit && !isSaid && (
        <span className="link-place">
          {/* Heard, not seen. */} <bdi>{place}</bdi>
        </span>
      )}
    </a>
  );
}
