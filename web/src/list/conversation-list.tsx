import { Search, SquarePen } from 'lucide-react';
import { useMemo, useState } from 'react';
import { HomeLink } from '../home/home-link';
import { wordsOf } from '../network/problem';
import { sorted } from '../state/list';
import { nextTimers } from '../state/timers';
import { isUnread } from '../state/unread';
import { newAddress, useShowsHome } from '../state/use-place';
import { useNow, useVigil, useVigilState } from '../state/use-vigil';
import { Button } from '../ui/button';
import { Trouble } from '../ui/trouble';
import { ListEntry } from './list-entry';
import { UserMenu } from './user-menu';

export interface ConversationListProps {
  open?: string;
  /** Called when the user chooses a conversation. */
  chosen: () => void;
  find: () => void;
}

/** The left side: the conversations that wait for the user first, then the latest. */
export function ConversationList({ open, chosen, find }: ConversationListProps) {
  const list = useVigilState((state) => state.list);
  const seen = useVigilState((state) => state.seen);
  const now = useNow(30_000);
  const timers = useVigilState((state) => state.timers);
  const conversations = useMemo(() => sorted(list), [list]);
  const next = useMemo(() => nextTimers(timers), [timers]);
  return (
    <nav aria-label="Conversations" className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-2 p-3">
        <Button
          look="strong"
          className="grow"
          onClick={() => {
            location.hash = newAddress;
            chosen();
          }}
        >
          <SquarePen aria-hidden className="size-4" /> New conversation
        </Button>
        <Button icon onClick={find} aria-label="Find a conversation (Ctrl+K)" title="Find a conversation (Ctrl+K)">
          <Search aria-hidden className="size-4" />
        </Button>
      </div>
      <HomeLink current={useShowsHome()} chosen={chosen} />
      <div className="min-h-0 grow overflow-y-auto px-2 pt-0.5 pb-2">
        {conversations.length > 0 ? (
          <ul className="flex flex-col gap-px">
            {conversations.map((one) => (
              <li key={one.id} className="[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]">
                <ListEntry
                  conversation={one}
                  timer={next.get(one.id)}
                  current={one.id === open}
                  unread={isUnread(one, seen)}
                  now={now}
                  chosen={chosen}
                />
              </li>
            ))}
          </ul>
        ) : (
          <EmptyList />
        )}
        <Older />
      </div>
      <UserMenu />
    </nav>
  );
}

function EmptyList() {
  const { home } = useVigil();
  const reading = useVigilState((state) => state.listReading);
  switch (reading.is) {
    case 'loading':
      return (
        <div role="status" aria-label="Loading the conversations" className="flex flex-col gap-2 p-2">
          {[72, 54, 64].map((width) => (
            <div key={width} className="h-10 animate-breathe rounded-lg bg-line/50" />
          ))}
        </div>
      );
    case 'failed':
      return <Trouble title="The list could not be loaded" problem={reading.problem} retry={home.read} />;
    case 'ready':
      return <p className="px-3 py-6 text-center text-sm text-faint">Your conversations appear here.</p>;
  }
}

function Older() {
  const { list } = useVigil();
  const cursor = useVigilState((state) => state.cursor);
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState('');
  if (!cursor) return null;
  const read = async () => {
    setReading(true);
    setProblem(await list.readOlder().then(() => '', wordsOf));
    setReading(false);
  };
  return (
    <>
      <Button look="quiet" className="mt-1 w-full" disabled={reading} onClick={() => void read()}>
        Show older
      </Button>
      {problem && (
        <p role="alert" className="px-3 py-1 text-center text-xs text-bad">
          Could not load: {problem}
        </p>
      )}
    </>
  );
}
