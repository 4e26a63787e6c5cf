import { Check, CircleDashed, TriangleAlert } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { tickerOf } from '../hooks/ticker';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { steadyRows } from '../rows/steady-rows';
import type { Held } from '../state/held';
import { Button } from './button';

// Lists whose rows go when something is pressed: what was pressed becomes its receipt in its place, and nothing changes places under a hand.

/** Returns what the user has pressed in a row, while it can be taken back, and until its receipt goes. */
export const useHeld = (key: string): Held | undefined => useVigilState(({ held }) => held.get(key));

/**
 * Returns the rows of a list. A row that was pressed keeps its place as long as its receipt is shown, also when what it shows is gone.
 * While the pointer or the focus is in the list, nothing changes places, and what is new comes last.
 *
 * @param keyOf the key of a row. Its element has it as `data-row`.
 * @param stays whether a row that is gone stays for another reason.
 */
export function useRows<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  stays: (item: Item, isTypedIn: boolean) => boolean = () => false,
): readonly Item[] {
  const held = useVigilState((state) => state.held);
  const before = useRef(items);
  const under = keysOf('[data-row]:is(:hover, :focus-within)');
  const typedIn = keysOf('[data-row]:has(:is(input:not([type=checkbox]), textarea, select):focus)');
  const rows = steadyRows(before.current, items, {
    keyOf,
    stays: (one) => held.has(keyOf(one)) || stays(one, typedIn.has(keyOf(one))),
    isUnderHand: before.current.some((one) => under.has(keyOf(one))),
  });
  useEffect(() => {
    before.current = rows;
  });
  return rows;
}

const keysOf = (selector: string): ReadonlySet<string | undefined> =>
  new Set([...document.querySelectorAll<HTMLElement>(selector)].map(({ dataset }) => dataset.row));

/** Where the user is, or was last: what is pressed may be gone when its receipt comes. */
let lastPath: readonly EventTarget[] = [];
for (const type of ['focusin', 'click'])
  document.addEventListener(
    type,
    (event) => {
      lastPath = event.composedPath();
    },
    // Before the page itself handles it.
    true,
  );

/** Whether the user has pressed something in the place of a receipt, and not in that of another one of the same row. */
function isPressedAt(receipt: Element): boolean {
  const isPlace = (one: Element) => lastPath.includes(one.parentElement!);
  const name = receipt.getAttribute('data-held');
  const others = [...document.querySelectorAll('[data-held]')].filter((one) => one.getAttribute('data-held') === name);
  return isPlace(receipt) || !others.some(isPlace);
}

/** Says in the place of a button what was pressed. As long as it is not sent, it can be taken back. */
export function Receipt({ held }: { held: Held }) {
  const { store, held: holding } = useVigil();
  const { key, words, about, status, at } = held;
  const element = useRef<HTMLFieldSetElement>(null);
  // The notice of what is not on the screen must not flash.
  useLayoutEffect(() => {
    const count = (by: number) =>
      store.setState(({ receipts }) => ({ receipts: new Map(receipts).set(key, (receipts.get(key) ?? 0) + by) }));
    count(1);
    return () => count(-1);
  }, [store, key]);
  // The button that had the focus has become this receipt, or was a button of it.
  const hasFocus = useRef<boolean>(undefined);
  useLayoutEffect(() => {
    hasFocus.current ??= performance.now() - at < 1_000 && isPressedAt(element.current!);
    if (hasFocus.current && document.activeElement === document.body) element.current!.focus({ preventScroll: true });
    // Several are pressed together, and one has taken it.
    hasFocus.current = element.current!.contains(document.activeElement);
  }, [status]);
  useLayoutEffect(() => {
    const receipt = element.current!;
    return () => {
      // What is removed has no way up any more.
      const above: Element[] = [];
      for (let one = receipt.parentElement; one; one = one.parentElement) above.push(one);
      const isIn = (one: Element) => one.hasAttribute('data-row') && one.contains(document.activeElement);
      // A card that is decided is no row after this.
      const rows = new Set(above.filter((one) => one.hasAttribute('data-row')));
      if ([receipt, ...above].some(isIn)) queueMicrotask(() => focusNear(above, rows));
    };
  }, []);
  const Icon = status === 'refused' ? TriangleAlert : status === 'queued' ? CircleDashed : Check;
  return (
    <fieldset
      ref={element}
      tabIndex={-1}
      data-row=""
      data-receipt={status}
      data-held={key}
      aria-label={about === undefined ? words : `${words}: ${about}`}
      className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 rounded-lg text-sm outline-offset-2 pointer-coarse:[&_button]:min-h-11"
      onFocus={({ target }) => {
        hasFocus.current = true;
        if (target !== element.current) holding.pause(key);
      }}
      onBlur={({ target }) => {
        holding.resume(key);
        // A button that goes has not been left by the user.
        queueMicrotask(() => {
          if (target.isConnected && !element.current?.contains(document.activeElement)) hasFocus.current = false;
        });
      }}
    >
      <Icon aria-hidden className={status === 'refused' ? 'size-4 shrink-0 text-bad' : 'size-4 shrink-0 text-good'} />
      {status !== 'refused' && <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{words}</span>}
      <ReceiptState held={held} />
    </fieldset>
  );
}

/** What has become of it so far, and what can still be done. */
export function ReceiptState({ held }: { held: Held }) {
  const { held: holding } = useVigil();
  const { key, wish, words, status } = held;
  switch (status) {
    case 'held':
      return (
        <>
          <Button onClick={() => holding.undo(key)} aria-label={t('Undo: {words}', { words })}>
            {t('Undo')}
          </Button>
          <SecondsLeft held={held} />
          <Button
            look="quiet"
            className="px-2 text-xs"
            onClick={() => void holding.finish(key)}
            aria-label={t('Send now: {words}', { words })}
          >
            {t('Send now')}
          </Button>
        </>
      );
    case 'queued':
      return (
        <>
          <span className="text-wait">{unsentWords(held)}</span>
          <Button onClick={() => holding.undo(key)} aria-label={t('Take back: {words}', { words })}>
            {t('Take back')}
          </Button>
        </>
      );
    case 'sending':
      return wish && <span className="text-muted text-xs">{t('Sending…')}</span>;
    case 'refused':
      return (
        <>
          <span role="alert" className="min-w-0 text-bad [overflow-wrap:anywhere]">
            {refusedWords(held)}
          </span>
          <Button onClick={() => holding.undo(key)}>{t('Close')}</Button>
        </>
      );
    case 'done':
      return null;
  }
}

function SecondsLeft({ held: { until } }: { held: Held }) {
  const { subscribe } = tickerOf(1_000);
  const now = useSyncExternalStore(subscribe, () => Math.floor(performance.now() / 1_000) * 1_000);
  return (
    // Stopped while the user is at it. It keeps its place, or the button beside it would move while it is pressed.
    <span aria-hidden className="min-w-6 text-muted text-xs tabular-nums">
      {until !== undefined && t('{seconds} s', { seconds: Math.max(1, Math.floor((until - now) / 1_000)) })}
    </span>
  );
}

const unsentWords = ({ problem }: Held): string =>
  problem === undefined
    ? t('Not sent yet. It is sent when you are online.')
    : t('Not sent yet: {problem}', { problem });

function refusedWords({ wish, problem = '' }: Held): string {
  switch (wish?.is) {
    case 'decide':
      if (wish.answer.approved === undefined) return t('Not answered: {words}', { words: problem });
      return wish.answer.approved
        ? t('Not approved: {words}', { words: problem })
        : t('Not denied: {words}', { words: problem });
    case 'delete':
      return t('Not deleted: {problem}', { problem });
    case 'cancelTimer':
      return `${t('Not cancelled')}: ${problem}`;
    default:
      return `${t('Not forgotten')}: ${problem}`;
  }
}

/** Tells a screen reader what was pressed, and what has become of it. In a dialog as well, which hides the rest of the page. */
export function Receipts() {
  const all = useVigilState((state) => state.held);
  // A notice is announced as such.
  const receipts = useVigilState((state) => state.receipts);
  return (
    <div aria-live="polite" className="sr-only">
      {[...all.values()]
        .filter(({ key }) => receipts.get(key))
        .map((held) => (
          <div key={held.key}>
            <p>{held.about === undefined ? held.words : `${held.words}: ${held.about}`}</p>
            {held.status === 'held' && <p>{t('It can be undone for a few seconds.')}</p>}
            {held.status === 'queued' && <p>{unsentWords(held)}</p>}
          </div>
        ))}
    </div>
  );
}

/** Puts the focus where the user was: on the row of a receipt that has gone, otherwise on the nearest heading. */
function focusNear(above: readonly Element[], rows: ReadonlySet<Element>): void {
  if (document.activeElement !== document.body) return;
  for (const one of above.filter(({ isConnected }) => isConnected)) {
    const isRow = one === above[0] || rows.has(one);
    const near = one.matches('[tabindex]')
      ? one
      : one.querySelector(isRow ? '[tabindex="-1"], button' : ':is(h1, h2)[tabindex]');
    if (near instanceof HTMLElement) {
      near.focus({ preventScroll: true });
      return;
    }
  }
  // Beside the main part nothing takes it.
  document.querySelector<HTMLElement>('main :is([tabindex="0"], h1[tabindex], h2[tabindex])')?.focus({
    preventScroll: true,
  });
}
