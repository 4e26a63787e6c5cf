import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../languages/catalogue';
import { usePhone } from '../ui/use-phone';
import { addressAs, keptPeople } from './people';

/** Two people of the local cloud in one window, each with a page, a token and a socket. Where only one fits, they are tabs. */
export function SideBySide({ named }: { named: readonly string[] }) {
  const all = keptPeople().map(({ name }) => name);
  const [pair, setPair] = useState(() => pairOf(named, all));
  const [front, setFront] = useState(0);
  const phone = usePhone();

  function change(index: number, name: string): void {
    const next = pair.map((one, at) => (at === index ? name : one));
    setPair(next);
    history.replaceState(null, '', addressAs(...next));
  }
  return (
    <div className="flex h-dvh flex-col bg-side">
      <header className="flex items-center gap-2 border-line border-b px-3 py-1 text-sm">
        <h1 className="grow font-semibold">{t('Two people')}</h1>
        {phone && (
          <div className="flex gap-1">
            {pair.map((name, index) => (
              <button
                key={name}
                type="button"
                aria-pressed={index === front}
                onClick={() => setFront(index)}
                className={clsx('max-w-28 truncate rounded-lg px-3 py-1', index === front && 'bg-mine font-medium')}
              >
                {name}
              </button>
            ))}
          </div>
        )}
        <a
          href="/"
          aria-label={t('Back to one person')}
          className="grid size-8 place-items-center rounded-lg text-muted hover:bg-line/60"
        >
          <X aria-hidden className="size-4" />
        </a>
      </header>
      <main className="grid min-h-0 grow grid-cols-1 sm:grid-cols-2">
        {pair.map((name, index) => (
          <section
            key={index}
            aria-label={sideWords(index)}
            className={clsx(
              'min-h-0 flex-col border-line',
              index === 1 && 'sm:border-l',
              phone && index !== front ? 'hidden' : 'flex',
            )}
          >
            <label className="flex items-center gap-2 border-line border-b px-3 py-1 text-muted text-xs">
              {sideWords(index)}
              <select
                value={name}
                onChange={({ target }) => change(index, target.value)}
                className="h-6 min-w-0 rounded-md border border-line bg-raised px-1.5 font-medium text-ink outline-none focus:border-accent"
              >
                {all.map((one) => (
                  <option key={one} value={one} disabled={pair.indexOf(one) === 1 - index}>
                    {one}
                  </option>
                ))}
              </select>
            </label>
            <iframe
              key={name}
              title={t('The page of {name}', { name })}
              src={addressAs(name)}
              className="min-h-0 w-full grow"
            />
          </section>
        ))}
      </main>
    </div>
  );
}

const sideWords = (index: number): string => (index === 0 ? t('Left') : t('Right'));

/** Returns two people: the named ones, and others in place of those that this browser does not have. */
function pairOf(named: readonly string[], all: readonly string[]): readonly string[] {
  const known = named.filter((name) => all.includes(name));
  return [...new Set([...known, ...all])].slice(0, 2);
}
