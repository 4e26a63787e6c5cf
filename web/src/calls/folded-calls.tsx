import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { t } from '../languages/catalogue';
import { type Fold, foldMs, foldWords } from '../rows/folds';
import { span } from '../words/words';
import { CallCardView } from './call-card';

/** Finished calls in one quiet line. It opens to show their cards. */
export function FoldedCalls({ id, cards }: { id: string } & Pick<Fold, 'cards'>) {
  const tookMs = foldMs(cards);
  return (
    <Collapsible.Root data-folded={cards.length}>
      <Collapsible.Trigger className="group flex min-h-7 max-w-full items-center gap-1.5 rounded-md pr-2 text-left text-muted text-sm hover:text-ink">
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-faint transition-transform group-data-[state=open]:rotate-90"
        />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <span className="sr-only">
            {t('{count, plural, one {# finished call} other {# finished calls}}', { count: cards.length })}
            {': '}
          </span>
          {foldWords(cards)}
          {tookMs !== undefined && <span className="whitespace-nowrap text-faint text-xs"> · {span(tookMs)}</span>}
        </span>
      </Collapsible.Trigger>
      <Collapsible.Content className="flex flex-col gap-2 pt-1.5">
        {cards.map((card) => (
          <CallCardView key={card.call.id} id={id} card={card} />
        ))}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
