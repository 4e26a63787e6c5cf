import { BookOpen, ChevronRight, Globe, ImageIcon, type LucideIcon, SquareTerminal } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { Message } from 'vigil-client';
import { t } from '../languages/catalogue';
import { Away, safeUrl } from '../markdown/away';
import { sourceWords } from '../words/sources';

type Use = NonNullable<Message['hosted']>[number];
type Source = Use['sources'][number];

function looksOf(tool: Use['tool']): { Icon: LucideIcon; words: string } {
  switch (tool) {
    case 'web_search':
      return { Icon: Globe, words: t('Searched the web') };
    case 'web_fetch':
      return { Icon: Globe, words: t('Read a page') };
    case 'file_search':
      return { Icon: BookOpen, words: t('Searched files') };
    case 'code_interpreter':
      return { Icon: SquareTerminal, words: t('Ran a program') };
    case 'image_generation':
      return { Icon: ImageIcon, words: t('Drew a picture') };
  }
}

/** What the tools of the model's provider did for a reply, a line each, before its text. */
export function HostedUses({ message: { hosted = [], hostedSources, trusted } }: { message: Message }) {
  if (hosted.length === 0) return null;
  return (
    <ul aria-label={t('Tools of the model’s provider')} className="mb-2 flex flex-col gap-1">
      {hosted.map((use, index) => (
        <li key={index} data-hosted={use.tool}>
          <UseLine use={use} />
        </li>
      ))}
      {hostedSources && !trusted && (
        <li className="pl-5.5 text-faint text-xs">
          {t('brought words from {sources}', { sources: sourceWords(hostedSources) })}
        </li>
      )}
    </ul>
  );
}

function UseLine({ use: { tool, input, status, sources } }: { use: Use }) {
  const [first = '', ...rest] = input.trim().split('\n');
  // A search may open what it finds.
  const { Icon, words } = looksOf(tool === 'web_search' && /^https?:/.test(first) ? 'web_fetch' : tool);
  const line = (
    <>
      <Icon aria-hidden className="size-3.5 shrink-0 translate-y-0.5 text-faint" />
      <span className="min-w-0 truncate">
        {words}
        {first && <span className="text-faint">: {first}</span>}
      </span>
      {status !== 'completed' && (
        <span className="shrink-0 text-bad text-xs">{status === 'failed' ? t('failed') : t('not finished')}</span>
      )}
      {sources.length > 0 && (
        <span className="shrink-0 text-faint text-xs">
          {t('{count, plural, one {# source} other {# sources}}', { count: sources.length })}
        </span>
      )}
    </>
  );
  const shape = 'flex max-w-full items-baseline gap-2 text-muted text-sm';
  if (sources.length === 0 && rest.length === 0) return <p className={shape}>{line}</p>;
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className={`group ${shape} text-left hover:text-ink`}>
        {line}
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 translate-y-0.5 transition-transform group-data-[state=open]:rotate-90"
        />
      </Collapsible.Trigger>
      <Collapsible.Content className="mt-1 pl-5.5">
        {rest.length > 0 && (
          <pre className="mb-1 max-h-60 overflow-auto rounded-lg border border-line bg-raised p-2 font-mono text-xs">
            {input}
          </pre>
        )}
        <Sources sources={sources} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

/** What a text cites, after it. */
export function Citations({ citations = [] }: Pick<Message, 'citations'>) {
  if (citations.length === 0) return null;
  return (
    <section aria-label={t('Cited sources')} className="mt-2 border-line border-t pt-1.5">
      <Sources sources={citations} />
    </section>
  );
}

const Sources = ({ sources }: { sources: readonly Source[] }) => (
  <ol className="links flex flex-col gap-0.5 text-sm">
    {sources.map(({ title, url = '' }, index) => (
      <li key={index} dir="auto" className="text-muted [overflow-wrap:anywhere]">
        <Away href={safeUrl(url)} text={title}>
          {title}
        </Away>
      </li>
    ))}
  </ol>
);
