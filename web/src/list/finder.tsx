import { Command, defaultFilter, useCommandState } from 'cmdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useClient } from 'vigil-client/react';
import type { Found } from 'vigil-client/shared';
import { byBeginnings } from '../actions/by-beginnings';
import { Kbd } from '../actions/kbd';
import { type PalettePlace, usePaletteActions } from '../actions/palette-actions';
import { useOwn } from '../hooks/use-own';
import { addressOf, goTo } from '../hooks/use-place';
import { useSearch } from '../hooks/use-search';
import { useNow, useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { oneOfEach } from '../rows/branches';
import { sorted } from '../rows/list';
import { nextTimers } from '../rows/timers';
import { deletionOf } from '../state/held';
import { Dialog } from '../ui/dialog';
import { StatusDot } from '../ui/status-dot';
import { agentName } from '../words/agents';
import { personName } from '../words/person';
import { shownStatus } from '../words/rule-words';
import { day } from '../words/words';
import { finderFieldLook, finderLook, finderPrompt } from './finder-field';

const said = 'said ';
const action = 'action ';
/** Matches the visible words; an item's value is only its id. The server has matched what was said. */
function byWords(value: string, search: string, words: string[] = []): number {
  if (value.startsWith(said)) return 0.001;
  if (value.startsWith(action)) return byBeginnings(search, words);
  // Letters that merely come in this order are not what is sought.
  const score = defaultFilter('', search, words);
  return score < 0.1 ? 0 : score;
}

/** The number of conversations before anything is typed: what can be done is below. */
const fewest = 7;

/** The outline is visible in forced colours, which have no grounds. */
const item =
  'cursor-pointer rounded-lg px-2.5 py-2 data-[selected=true]:bg-side data-[selected=true]:outline-2 data-[selected=true]:outline-transparent data-[selected=true]:-outline-offset-2';

interface FinderProps {
  place: PalettePlace;
  /** The words that the user has typed already. */
  words: string;
  /** Whether Enter was pressed already: the first that is found is opened. */
  entered: boolean;
  close: () => void;
  chosen: () => void;
}

/** Ctrl+K: finds a conversation among those loaded, by title, agent and status, any message by what was said, and what can be done. */
export function Finder({ place, words, entered, close, chosen }: FinderProps) {
  const { list, timers } = useOwn();
  const next = useMemo(() => nextTimers(timers), [timers]);
  const held = useVigilState((state) => state.held);
  const now = useNow();
  const search = useSearch(words);
  const [opensFirst, setOpensFirst] = useState(entered);
  const { conversations } = useClient();
  // What was not read is found by what was said.
  useEffect(() => void conversations.readAhead().catch(() => undefined), [conversations]);
  const go = (open: () => void) => {
    open();
    close();
    chosen();
  };
  const actions = usePaletteActions(place);
  const act = (choose: () => void) => {
    // The focus is where it was, and then where the action leads it.
    flushSync(close);
    flushSync(chosen);
    choose();
  };
  const all = oneOfEach(sorted(list));
  const typed = search.words.trim().toLowerCase();
  const startsAction = typed.length > 1 && actions.some((one) => one.words.toLowerCase().startsWith(typed));
  const finding = (
    <Command.Group key="conversations" className={groupLook} heading={t('Conversations')}>
      {(typed ? all : all.slice(0, fewest)).map((one) => (
        <Command.Item
          key={one.id}
          value={one.id}
          keywords={[one.title, one.agent, shownStatus(one, next.get(one.id), now).words]}
          onSelect={() => go(() => goTo(one.id))}
          className={`${item} flex items-center gap-2.5`}
        >
          <StatusDot of={shownStatus(one, next.get(one.id), now).dot} />
          <span className="min-w-0 grow truncate text-sm">{one.title || t('New conversation')}</span>
          <span className="shrink-0 text-xs text-faint">
            {one.agent} · {shownStatus(one, next.get(one.id), now).words}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
  const doing = (
    <Command.Group key="actions" className={groupLook} heading={t('Actions')}>
      {actions.map((one) => (
        <Command.Item
          key={one.id}
          value={action + one.id}
          keywords={[one.words, one.also ?? '']}
          onSelect={() => act(one.choose)}
          className={`${item} flex items-center gap-2.5 text-sm ${one.danger ? 'text-bad' : ''}`}
        >
          <span aria-hidden className={one.danger ? '[&>svg]:size-4' : 'text-faint [&>svg]:size-4'}>
            {one.icon}
          </span>
          <span className="min-w-0 grow truncate">{one.words}</span>
          {one.keys && <Kbd>{one.keys}</Kbd>}
        </Command.Item>
      ))}
    </Command.Group>
  );
  const found = search.found.filter(({ conversation: { id } }) => !held.has(deletionOf(id)));
  const ofMeaning = found.filter(({ by }) => by === 'meaning');
  const ofWords = found.filter(({ by }) => by !== 'meaning');
  const shown = (one: Found) => (
    <Command.Item
      key={`${one.conversation.id} ${one.seq}`}
      value={`${said}${one.conversation.id} ${one.seq}`}
      onSelect={() =>
        go(() => {
          location.hash = addressOf(one.conversation.id, one.seq);
        })
      }
      className={item}
    >
      <FoundMessage found={one} now={now} />
    </Command.Item>
  );
  return (
    <Dialog label={t('Find a conversation')} close={close} className={finderLook}>
      <Command label={t('Find a conversation')} filter={byWords}>
        <Command.Input
          data-autofocus
          value={search.words}
          onValueChange={(typed) => {
            setOpensFirst(false);
            search.change(typed);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && search.words.trim() && !selectedBeside(event.currentTarget))
              setOpensFirst(true);
          }}
          placeholder={finderPrompt()}
          className={finderFieldLook}
        />
        {opensFirst && <OpensFirst />}
        <Command.List label={t('Found')} className="max-h-[min(28rem,60vh)] overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-sm text-faint">
            {search.state === 'reading' ? t('Searching what was said…') : t('Nothing found.')}
          </Command.Empty>
          {startsAction ? [doing, finding] : [finding, doing]}
          {(ofWords.length > 0 || (found.length > 0 && search.more)) && (
            <Command.Group className={groupLook} heading={t('What was said')}>
              {ofWords.map(shown)}
              {search.more && (
                <Command.Item value={`${said}more`} onSelect={search.more} className={`${item} text-sm text-accent`}>
                  {t('Show more')}
                </Command.Item>
              )}
            </Command.Group>
          )}
          {ofMeaning.length > 0 && (
            <Command.Group className={groupLook} heading={t('Similar in meaning')}>
              {ofMeaning.map(shown)}
            </Command.Group>
          )}
        </Command.List>
        {/* The list changes with every key, so only the search itself is announced. */}
        <p role="status" className={search.problem ? 'border-t border-line px-4 py-2 text-bad text-sm' : 'sr-only'}>
          {search.problem
            ? t('What was said could not be searched: {problem}', { problem: search.problem })
            : summaryOf(search.state, found)}
        </p>
      </Command>
    </Dialog>
  );
}

const selectedBeside = (element: Element | null) =>
  element?.closest('[cmdk-root]')?.querySelector<HTMLElement>('[cmdk-item][aria-selected=true]');

/** Opens the first that is found. Who types fast presses Enter before anything is found. */
function OpensFirst() {
  const place = useRef<HTMLSpanElement>(null);
  const first = useCommandState(({ search, filtered, value }) => (search && filtered.count > 0 ? value : ''));
  useEffect(() => {
    if (!first) return;
    // cmdk sorts the list after it has selected an item.
    const frame = requestAnimationFrame(() => selectedBeside(place.current)?.click());
    return () => cancelAnimationFrame(frame);
  }, [first]);
  return <span ref={place} hidden />;
}

const groupLook =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs';

const summaryOf = (state: 'none' | 'reading' | 'read', found: readonly Found[]): string =>
  state === 'read'
    ? t('{count, plural, one {# message found.} other {# messages found.}}', { count: found.length })
    : '';

/** Returns who has written it. What a machine has begun for its user is theirs. */
const userName = ({ author, authorName, sources, conversation }: Found, me: string): string =>
  author !== me && (sources?.includes('member') || conversation.role !== undefined)
    ? personName(author, authorName)
    : t('You');

function FoundMessage({ found, now }: { found: Found; now: number }) {
  const { me } = useVigil();
  const { conversation, author, role, createdAt, excerpt } = found;
  return (
    <>
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 grow truncate text-sm">{conversation.title || t('New conversation')}</span>
        <span className="shrink-0 text-xs text-faint">
          {conversation.archived && `${t('archived')} · `}
          {role === 'user' ? userName(found, me.user) : agentName(author)} · {day(Date.parse(createdAt), now)}
        </span>
      </span>
      <span className="mt-0.5 line-clamp-2 text-muted text-xs">
        {excerpt.map(({ text, hit }, index) =>
          hit ? (
            <mark key={index} className="rounded-sm bg-wait-ground font-medium text-wait">
              {text}
            </mark>
          ) : (
            <span key={index}>{text}</span>
          ),
        )}
      </span>
    </>
  );
}
