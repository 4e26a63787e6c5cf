import { clsx } from 'clsx';
import { useVigil } from '../hooks/use-vigil';
import { usePeople } from './use-people';
import { partsOf } from './who';

/** A person's words, with the mentions in them. Those of the reader stand out. */
export function WordsOfPerson({ text, mentions = [] }: { text: string; mentions?: readonly string[] }) {
  const people = usePeople();
  const { me } = useVigil();
  const named = mentions.length > 0 ? (people?.all ?? []).filter(({ user }) => mentions.includes(user)) : [];
  if (named.length === 0) return text;
  return partsOf(text, named).map(({ text: part, user }, index) =>
    user === undefined ? (
      part
    ) : (
      <span
        key={index}
        data-mention={user === me.user ? 'me' : 'other'}
        className={clsx(
          'rounded-sm font-medium',
          user === me.user ? 'bg-wait-ground px-0.5 text-wait ring-1 ring-wait-line' : 'text-accent',
        )}
      >
        {part}
      </span>
    ),
  );
}
