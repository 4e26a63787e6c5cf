import { type RefObject, useRef } from 'react';
import type { Memory } from 'vigil-client/shared';
import { addressOf } from '../hooks/use-place';
import { useRead } from '../hooks/use-read';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { ListDialog } from '../ui/dialog';
import { Moment } from '../ui/moment';
import { Receipt, useHeld, useRows } from '../ui/receipt';
import { Trouble } from '../ui/trouble';

export interface MemoriesProps {
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Shows agents' memories of the user, each with its source. The user can delete entries. */
export function Memories({ close, opener }: MemoriesProps) {
  const { act } = useVigil();
  const title = useRef<HTMLHeadingElement>(null);
  const { value: memories = [], reading, again } = useRead(act.memories);
  return (
    <ListDialog
      title={t('What agents remember about you')}
      about={t('Agents may use it in all your conversations.')}
      close={close}
      heading={title}
      opener={opener}
      className="w-[34rem] max-w-[calc(100vw-2rem)]"
    >
      <div className="min-h-24 overflow-y-auto px-5 py-2">
        {reading.is === 'loading' && <Loading />}
        {reading.is === 'failed' && (
          <Trouble title={t('Could not be loaded')} problem={reading.problem} retry={again} />
        )}
        {reading.is === 'ready' && <MemoryList memories={memories} close={close} />}
      </div>
    </ListDialog>
  );
}

interface MemoryListProps {
  memories: Memory[];
  close: () => void;
}

function MemoryList({ memories, close }: MemoryListProps) {
  const all = useVigilState((state) => state.held);
  const forgotten = useRef(new Set<string>());
  for (const { key, status } of all.values()) if (status === 'done') forgotten.current.add(key);
  const rows = useRows(
    memories.filter(({ id }) => !forgotten.current.has(id)),
    ({ id }) => id,
  );
  if (rows.length === 0)
    return (
      <p className="py-10 text-center text-faint text-sm">
        {t('Nothing yet. What you ask an agent to remember appears here.')}
      </p>
    );
  return (
    <ul className="divide-y divide-line">
      {rows.map((memory) => (
        <Remembered key={memory.id} memory={memory} close={close} />
      ))}
    </ul>
  );
}

function Remembered({ memory, close }: { memory: Memory } & Omit<MemoryListProps, 'memories'>) {
  const { held } = useVigil();
  const { id, text, conversationId, createdAt } = memory;
  const receipt = useHeld(id);
  return (
    <li data-row={id} className="flex items-start gap-3 py-2.5 text-sm">
      <div className="min-w-0 grow">
        <p className="[overflow-wrap:anywhere]">{text}</p>
        <p className="text-faint text-xs">
          <Moment at={createdAt} /> ·{' '}
          <a href={addressOf(conversationId)} onClick={close} className="text-accent underline underline-offset-2">
            {t('where it was said')}
          </a>
        </p>
      </div>
      {receipt ? (
        <Receipt held={receipt} />
      ) : (
        <Button
          aria-label={t('Forget: {text}', { text })}
          onClick={() => held.begin({ is: 'forget', memoryId: id }, { words: t('Forgotten'), about: text })}
        >
          {t('Forget')}
        </Button>
      )}
    </li>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={t('Loading the memories')} className="flex flex-col gap-3 py-3">
      {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
        <div key={width} className={`h-8 animate-breathe rounded-md bg-line/50 ${width}`} />
      ))}
    </div>
  );
}
