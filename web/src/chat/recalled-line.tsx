import { BookUser, ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useCallback } from 'react';
import type { Message } from 'vigil-client';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { useOwns } from '../members/use-people';

/** What was recalled about the owner for a message. They alone see it, and it is read when they ask for it. */
export function RecalledLine({ id, message: { seq, hasRecalled } }: { id: string; message: Message }) {
  const owns = useOwns();
  if (!hasRecalled || !owns) return null;
  return (
    <Collapsible.Root className="mb-1 text-muted text-sm">
      <Collapsible.Trigger className="group flex items-center gap-2 text-left hover:text-ink">
        <BookUser aria-hidden className="size-3.5 shrink-0 text-faint" />
        {t('Recalled about you')}
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 transition-transform group-data-[state=open]:rotate-90"
        />
      </Collapsible.Trigger>
      <Collapsible.Content className="mt-1 pl-5.5">
        <Words id={id} seq={seq} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function Words({ id, seq }: { id: string; seq: number }) {
  const { recalled } = useVigil();
  const { value, reading } = useRead(useCallback(() => recalled(id, seq), [recalled, id, seq]));
  if (reading.is === 'failed')
    return <p role="alert">{t('Could not be read: {problem}', { problem: reading.problem })}</p>;
  return (
    <p dir="auto" className="whitespace-pre-wrap text-xs [overflow-wrap:anywhere]">
      {value?.text ?? '…'}
    </p>
  );
}
