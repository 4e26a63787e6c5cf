import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { clip } from '../../../core/base/text/clip';
import { t } from '../languages/catalogue';
import { insideWords, isNested, type JsonRow, jsonRows, moveIn } from '../words/json-rows';

interface CopyButtonProps {
  words: string;
  text: () => string;
}

/** Copies a text, and says so for a moment. */
function CopyButton({ words, text }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  // A page without https has no clipboard, except on this machine.
  const copy = async () => navigator.clipboard.writeText(text());
  return (
    <button
      type="button"
      onClick={() =>
        void copy().then(
          () => setState('copied'),
          () => setState('refused'),
        )
      }
      className="shrink-0 rounded-md px-1 py-1 text-muted text-xs hover:text-ink"
    >
      {words}
      <span role="status">{state !== 'ready' && `: ${state === 'copied' ? t('copied') : t('not allowed')}`}</span>
    </button>
  );
}

export interface JsonTreeProps {
  /** The name of its content, for a screen reader. */
  label: string;
  value: object;
}

/** JSON as a tree: one stop for the Tab key, arrow keys within. It shows the path of the current line and copies its value. */
export function JsonTree({ label, value }: JsonTreeProps) {
  const [open, setOpen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState('$');
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => jsonRows(value, open, whole), [value, open, whole]);
  const index = Math.max(
    0,
    rows.findIndex(({ path }) => path === current),
  );
  const row = rows[index]!;

  function act({ path, more, open: isOpen, value: own }: JsonRow): void {
    setCurrent(path);
    if (more) {
      // The line itself goes away.
      setCurrent(String(own));
      setWhole(new Set(whole).add(String(own)));
    } else if (isOpen !== undefined) setOpen(new Map(open).set(path, !isOpen));
    else if (isLong(own)) setWhole(new Set(whole).add(path));
  }
  function goTo(to: number): void {
    setCurrent(rows[to]!.path);
    tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[to]?.focus();
  }
  function onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = moveIn(rows, index, event.key);
    const turns =
      (event.key === 'ArrowRight' && row.open === false) || (event.key === 'ArrowLeft' && row.open === true);
    if (to !== undefined) goTo(to);
    else if (turns || event.key === 'Enter' || event.key === ' ') act(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div className="min-w-0 rounded-lg border border-line bg-page">
      <div
        ref={tree}
        role="tree"
        aria-label={label}
        onKeyDown={onKey}
        className="max-h-72 overflow-auto py-1 font-mono text-xs"
      >
        {rows.map((one) => (
          <Line key={one.path} row={one} isCurrent={one === row} isWhole={whole.has(one.path)} act={() => act(one)} />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-x-2 border-line border-t px-2 py-0.5 font-sans">
        <code className="min-w-0 grow truncate font-mono text-faint text-xs" title={row.path}>
          {row.more ? '' : row.path}
        </code>
        {row.path !== '$' && !row.more && <CopyButton words={t('Copy value')} text={() => textOf(row.value)} />}
        <CopyButton words={t('Copy JSON')} text={() => textOf(value)} />
      </div>
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const charactersAtOnce = 300;
const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > charactersAtOnce;

interface LineProps {
  row: JsonRow;
  isCurrent: boolean;
  isWhole: boolean;
  act: () => void;
}

function Line({ row: { name, level, place, of, value, open, more }, isCurrent, isWhole, act }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its lines.
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={of}
      aria-expanded={open}
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      onClick={act}
      style={{ paddingInlineStart: `${level * 0.75 - 0.5}rem` }}
      className={clsx(
        'flex cursor-pointer items-baseline gap-1 py-px pr-2 -outline-offset-2',
        isCurrent ? 'bg-line/60' : 'hover:bg-line/40',
      )}
    >
      <ChevronRight
        aria-hidden
        className={clsx(
          'size-3 shrink-0 self-start translate-y-0.5 text-faint',
          open && 'rotate-90',
          open === undefined && 'invisible',
        )}
      />
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {name !== undefined && <span className="text-accent">{`${name}: `}</span>}
        {more ? (
          <span className="text-accent underline">{t('Show all: {count} more', { count: more })}</span>
        ) : (
          <Value value={value} open={open} isWhole={isWhole} />
        )}
      </span>
    </div>
  );
}

/** A stranger's text is text, in quotes and with its line breaks escaped. */
function Value({ value, open, isWhole }: { value: unknown; open?: boolean; isWhole: boolean }) {
  if (isNested(value) || (typeof value === 'object' && value !== null))
    return <span className="text-faint">{open ? (Array.isArray(value) ? '[' : '{') : insideWords(value)}</span>;
  if (typeof value !== 'string') return <span className="text-sleep">{String(value)}</span>;
  if (isWhole || !isLong(value)) return <span className="text-good">{JSON.stringify(value)}</span>;
  return (
    <>
      <span className="text-good">{JSON.stringify(clip(value, { characters: charactersAtOnce })).slice(0, -1)}…</span>{' '}
      <span className="text-accent underline">{t('Show all {count} characters', { count: value.length })}</span>
    </>
  );
}
