import { clsx } from 'clsx';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { t } from '../languages/catalogue';
import { Face } from './face';
import { offered, soughtAt, type Who } from './who';

interface Given {
  field: RefObject<HTMLTextAreaElement | null>;
  people: readonly Who[];
  change: (text: string) => void;
}

/** Completes the names of people behind an `@`: ↑ and ↓ choose, Enter and Tab take, Escape leaves. */
export function useMentions({ field, people, change }: Given) {
  const [at, setAt] = useState<{ from: number; words: string }>();
  const [index, setIndex] = useState(0);
  const id = useId();
  const found = at ? offered(people, at.words) : [];
  const current = Math.min(index, found.length - 1);
  const close = () => setAt(undefined);
  function look(): void {
    const { value, selectionStart, selectionEnd } = field.current!;
    const sought = selectionStart === selectionEnd ? soughtAt(value, selectionStart) : undefined;
    setAt(sought);
    if (sought?.words !== at?.words) setIndex(0);
  }
  function take({ name }: Who): void {
    const { value, selectionStart } = field.current!;
    const begin = `${value.slice(0, at!.from)}@${name} `;
    change(begin + value.slice(selectionStart).replace(/^ /, ''));
    close();
    requestAnimationFrame(() => field.current?.setSelectionRange(begin.length, begin.length));
  }
  /** @returns whether the key was for the list. */
  function onKey(event: KeyboardEvent): boolean {
    if (found.length === 0) return false;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        setIndex((current + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
        break;
      case 'Enter':
      case 'Tab':
        take(found[current]!);
        break;
      case 'Escape':
        close();
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  }
  const list = found.length > 0 && (
    <div
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={t('People to mention')}
      className="absolute bottom-full left-0 z-30 mb-1.5 min-w-48 max-w-full rounded-xl border border-line bg-raised p-1 shadow-lg"
    >
      {found.map((one, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the message field has the keys.
        <div
          key={one.user}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === current}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(one)}
          className={clsx(
            'flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm [@media(hover:none)]:min-h-11',
            place === current && 'bg-side outline-2 outline-transparent -outline-offset-2',
          )}
        >
          <Face {...one} />
          <span className="min-w-0 truncate">{one.name}</span>
        </div>
      ))}
    </div>
  );
  const attributes = people.length > 1 && {
    'aria-autocomplete': 'list' as const,
    'aria-haspopup': 'listbox' as const,
    ...(found.length > 0 && { 'aria-controls': id, 'aria-activedescendant': `${id}-${current}` }),
  };
  return { list, look, close, onKey, attributes };
}
