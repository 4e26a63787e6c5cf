import { clsx } from 'clsx';
import { Users } from 'lucide-react';
import { useEffect } from 'react';
import { isShared, type PeopleState } from 'vigil-client/shared';
import { showDialog } from '../actions/page-dialog';
import { type Shown, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { Face } from './face';
import { usePeople } from './use-people';
import type { Who } from './who';

/** The number of faces in the header, and below a message. */
const mostFaces = 3;

const listed = (people: readonly Who[]): string => new Intl.ListFormat(locale()).format(people.map(({ name }) => name));

/** In the header: the faces of the others, with a mark on those who are here. It opens the list of people. */
export function Present({ id, state: { here } }: { id: string; state: PeopleState }) {
  const people = usePeople();
  if (!people?.isShared) return null;
  const others = people.all.filter(({ isMe }) => !isMe);
  const present = others.filter(({ user }) => here.includes(user));
  const shown = [...present, ...others.filter((one) => !present.includes(one))].slice(0, mostFaces);
  const more = others.length - shown.length;
  const words =
    present.length > 0 ? t('People: {names} here now', { names: listed(present) }) : t('People: no one else is here');
  return (
    <button
      type="button"
      data-present={present.length}
      aria-label={words}
      title={words}
      onClick={() => showDialog({ is: 'share', id })}
      className="flex h-8 shrink-0 items-center gap-0.5 rounded-lg px-1.5 text-muted text-xs hover:bg-line/60"
    >
      {shown.length === 0 && <Users aria-hidden className="size-4" />}
      {shown.map((one) => (
        <Face
          key={one.user}
          {...one}
          isHere={present.includes(one)}
          className={clsx(!present.includes(one) && 'opacity-50 grayscale')}
        />
      ))}
      {more > 0 && <span className="pl-0.5">+{more}</span>}
    </button>
  );
}

/** Above the message field: who writes at this moment. */
export function Typing({ state: { typing } }: { state: PeopleState }) {
  const people = usePeople();
  const who = people?.all.filter(({ user, isMe }) => !isMe && typing.includes(user)) ?? [];
  return (
    <div role="status" className="mx-auto w-full max-w-[46rem] px-5 text-muted text-xs empty:hidden">
      {who.length > 0 && (
        <p className="flex items-center gap-1.5 pb-1.5">
          {who.slice(0, mostFaces).map((one) => (
            <Face key={one.user} {...one} isSmall />
          ))}
          {t('{count, plural, one {{names} is writing…} other {{names} are writing…}}', {
            count: who.length,
            names: listed(who),
          })}
        </p>
      )}
    </div>
  );
}

/** Below a message: the faces of those who have read up to it. */
export function SeenBy({ people }: { people: readonly Who[] }) {
  const words = t('Seen by {names}', { names: listed(people) });
  return (
    <p data-seen-by title={words} className="-mt-1.5 flex items-center justify-end gap-0.5">
      <span className="sr-only">{words}</span>
      {people.slice(0, mostFaces).map((one) => (
        <Face key={one.user} {...one} isSmall />
      ))}
      {people.length > mostFaces && <span className="text-faint text-xs">+{people.length - mostFaces}</span>}
    </p>
  );
}

/** Tells the others how far the reader has read, while the window is visible. */
export function useMarkRead(conversation: Shown | undefined): void {
  const { client } = useVigil();
  const id = conversation?.id;
  const isWithOthers = isShared(conversation?.members, conversation?.takenBy);
  const last = conversation?.messages.findLast(({ status }) => status !== 'streaming')?.seq;
  useEffect(() => {
    if (id === undefined || last === undefined || !isWithOthers) return;
    const mark = () => {
      if (document.visibilityState === 'visible') client.conversation(id).markRead(last);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [client, id, last, isWithOthers]);
}
