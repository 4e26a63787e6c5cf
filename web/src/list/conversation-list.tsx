import { Archive, ArrowLeft, Search, SquarePen } from 'lucide-react';
import { type ReactNode, useCallback, useId, useMemo, useState } from 'react';
import type { ConversationSummary } from 'vigil-client';
import { useClient, useFeed } from 'vigil-client/react';
import { type List, placeOf, rootOf } from 'vigil-client/shared';
import { HomeLink } from '../home/home-link';
import { useOwn } from '../hooks/use-own';
import { newAddress, useShowsHome } from '../hooks/use-place';
import { useRead } from '../hooks/use-read';
import { useNow, useVigilState } from '../hooks/use-vigil';
import { isUnread } from '../kept/unread';
import { t } from '../languages/catalogue';
import { oneOfEach } from '../rows/branches';
import { type Group, groupsOf } from '../rows/list-groups';
import { nextTimers } from '../rows/timers';
import { Button } from '../ui/button';
import { Trouble } from '../ui/trouble';
import { wordsOf } from '../words/problem-words';
import { isSameDay } from '../words/words';
import { ListEntry } from './list-entry';
import { UserMenu } from './user-menu';

export interface ConversationListProps {
  open?: string;
  /** Called when the user chooses a conversation. */
  chosen: () => void;
  find: () => void;
}

/** The left side: the conversations that wait for the user first, then the pinned ones, then the latest. Or the archive. */
export function ConversationList({ open, chosen, find }: ConversationListProps) {
  const { list, timers } = useOwn();
  const seen = useVigilState((state) => state.seen);
  const now = useNow(30_000);
  const [today, setToday] = useState(now);
  if (!isSameDay(today, now)) setToday(now);
  const [archive, setArchive] = useState(false);
  const groups = useMemo(() => (archive ? archiveOf(list) : groupsOf(list, today)), [archive, list, today]);
  const next = useMemo(() => nextTimers(timers), [timers]);
  return (
    <nav aria-label={t('Conversations')} className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-2 p-3">
        <Button
          look="strong"
          className="grow"
          onClick={() => {
            location.hash = newAddress;
            chosen();
          }}
        >
          <SquarePen aria-hidden className="size-4" /> {t('New conversation')}
        </Button>
        <Button
          icon
          onClick={find}
          aria-label={t('Find a conversation (Ctrl+K)')}
          title={t('Find a conversation (Ctrl+K)')}
        >
          <Search aria-hidden className="size-4" />
        </Button>
      </div>
      <HomeLink current={useShowsHome()} chosen={chosen} />
      <div className="min-h-0 grow overflow-y-auto px-2 pt-0.5 pb-2">
        {archive && <ArchiveHeader close={() => setArchive(false)} />}
        {groups.map(({ title, conversations }) => (
          <ListGroup key={title} title={title}>
            {conversations.map((one) => (
              <li key={one.id} className="[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]">
                <ListEntry
                  conversation={one}
                  timer={next.get(one.id)}
                  current={open !== undefined && rootOf(one) === rootOf(list.get(open) ?? { id: open })}
                  unread={isUnread(one, seen)}
                  // Hundreds of entries are rendered once a day, and not with each tick.
                  now={isDue(one, now) ? now : today}
                  chosen={chosen}
                />
              </li>
            ))}
          </ListGroup>
        ))}
        {!archive && groups.length === 0 && <EmptyList />}
        {archive ? <OlderArchived isEmpty={groups.length === 0} /> : <Older />}
        {!archive && (
          <Button look="quiet" className="mt-1 w-full" onClick={() => setArchive(true)}>
            <Archive aria-hidden className="size-4" /> {t('Archive')}
          </Button>
        )}
      </div>
      <UserMenu />
    </nav>
  );
}

const isDue = ({ until }: ConversationSummary, now: number): boolean => until !== undefined && Date.parse(until) <= now;

const archiveOf = (list: List): Group[] => {
  const conversations = oneOfEach([...list.values()]).filter(({ archived }) => archived);
  conversations.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  return conversations.length > 0 ? [{ title: t('Archive'), conversations }] : [];
};

function ListGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <div className="mt-1.5 first:mt-0">
      <h2 id={id} className="px-2.5 pt-1.5 pb-1 font-semibold text-faint text-xs">
        {title}
      </h2>
      {/* The home has a region of the same name. */}
      <ul aria-labelledby={id} className="flex flex-col gap-px">
        {children}
      </ul>
    </div>
  );
}

function ArchiveHeader({ close }: { close: () => void }) {
  return (
    <Button look="quiet" className="mb-1" onClick={close} autoFocus>
      <ArrowLeft aria-hidden className="size-4" /> {t('All conversations')}
    </Button>
  );
}

function EmptyList() {
  const { conversations, home } = useClient();
  const { status, error } = useFeed(conversations);
  switch (status) {
    case 'loading':
      return (
        <div role="status" aria-label={t('Loading the conversations')} className="flex flex-col gap-2 p-2">
          {[72, 54, 64].map((width) => (
            <div key={width} className="h-10 animate-breathe rounded-lg bg-line/50" />
          ))}
        </div>
      );
    case 'failed':
      return (
        <Trouble title={t('The list could not be loaded')} problem={wordsOf(error)} retry={() => void home.read()} />
      );
    case 'ready':
      return <p className="px-3 py-6 text-center text-sm text-faint">{t('Your conversations appear here.')}</p>;
  }
}

function Older() {
  const { conversations } = useClient();
  const hasMore = useFeed(conversations, ({ hasMore }) => hasMore);
  return hasMore ? <ShowOlder read={conversations.readMore} /> : null;
}

/** Reads the archive when it is opened, page by page. */
function OlderArchived({ isEmpty }: { isEmpty: boolean }) {
  const { api, conversations } = useClient();
  const readPage = useCallback(
    async (from?: string) => {
      const page = await api.listArchived(from);
      conversations.merge(page.conversations);
      return page;
    },
    [api, conversations],
  );
  const { value, setValue, reading, again } = useRead(readPage);
  const { cursor } = value ?? {};
  if (reading.is === 'failed')
    return <Trouble title={t('Could not be loaded')} problem={reading.problem} retry={again} />;
  if (cursor) return <ShowOlder read={async () => setValue(await readPage(cursor))} />;
  if (!isEmpty || reading.is === 'loading') return null;
  return <p className="px-3 py-6 text-center text-faint text-sm">{t('Conversations that you archive are here.')}</p>;
}

function ShowOlder({ read: readMore }: { read: () => Promise<void> }) {
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState('');
  const read = async () => {
    setReading(true);
    setProblem(await readMore().then(() => '', wordsOf));
    setReading(false);
  };
  return (
    <>
      <Button look="quiet" className="mt-1 w-full" disabled={reading} onClick={() => void read()}>
        {t('Show older')}
      </Button>
      {problem && (
        <p role="alert" className="px-3 py-1 text-center text-xs text-bad">
          {t('Could not load: {problem}', { problem })}
        </p>
      )}
    </>
  );
}
