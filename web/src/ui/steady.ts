// Nothing that decides, ends or deletes moves under a hand. The rows that do so are marked with `data-row`.

/** How long a row that has moved, or is new, takes no press: a double click is over by then. */
const inertMs = 700;
/** How long keys of one letter do nothing after the field in which they were typed is gone. Each further one begins it again. */
const quietMs = 1_000;
/** What follows an act of the user so soon is caused by it. */
const causedMs = 300;

interface Place {
  left: number;
  top: number;
  /** How far the row's ancestors are scrolled. */
  scrolled: number;
}

/**
 * Makes rows that slide under a pointer inert for a moment, and keys of one letter after a field is gone by itself: the user types on,
 * and the letters would be commands.
 */
export function keepSteady(): void {
  const places = new WeakMap<Element, Place>();
  const moved = new WeakMap<Element, ReturnType<typeof setTimeout>>();
  let actedAt = Number.NEGATIVE_INFINITY;
  let field: HTMLElement | undefined;
  let lostAt = Number.NEGATIVE_INFINITY;

  function look(marks: boolean): void {
    const scrolledOf = scrolls();
    for (const row of document.querySelectorAll<HTMLElement>('[data-row]')) {
      const { left, top, width } = row.getBoundingClientRect();
      const before = places.get(row);
      // A part of the page that a phone does not show.
      if (width === 0) {
        places.delete(row);
        continue;
      }
      const place = { left, top, scrolled: scrolledOf(row) };
      places.set(row, place);
      if (marks && hasMoved(before, place, performance.now() - actedAt)) rest(row);
    }
  }
  function rest(row: HTMLElement): void {
    clearTimeout(moved.get(row));
    row.dataset.moved = '';
    moved.set(
      row,
      setTimeout(() => delete row.dataset.moved, inertMs),
    );
  }
  function missField(): void {
    if (!field || canBeTyped(field)) return;
    field = undefined;
    if (performance.now() - actedAt > causedMs) lostAt = performance.now();
  }

  new MutationObserver(() => {
    missField();
    look(true);
  }).observe(document.documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['class', 'style', 'open', 'hidden', 'disabled'],
  });
  // A picture has no height before it is loaded.
  addEventListener('load', () => look(true), true);
  let isLooking = false;
  const lookLater = () => {
    if (isLooking) return;
    isLooking = true;
    requestAnimationFrame(() => {
      isLooking = false;
      look(false);
    });
  };
  addEventListener('scroll', lookLater, { capture: true, passive: true });
  addEventListener('resize', lookLater);

  for (const act of ['pointerdown', 'click', 'wheel', 'touchmove'])
    addEventListener(
      act,
      () => {
        actedAt = performance.now();
      },
      { capture: true, passive: true },
    );
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && isField(target)) field = target;
  });
  addEventListener('focusout', ({ target }) =>
    // The user has gone elsewhere. One that is removed is not connected a moment later.
    queueMicrotask(() => {
      if (field === target && canBeTyped(field)) field = undefined;
    }),
  );
  addEventListener(
    'keydown',
    (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey;
      if (!isLetter) actedAt = performance.now();
      if (!isLetter && key !== 'Enter') return;
      if (performance.now() - lostAt > quietMs || (target instanceof HTMLElement && isField(target))) return;
      lostAt = performance.now();
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}

/** @param sinceActMs since the user has last done something: what is only scrolled so soon after that, they have scrolled. */
export function hasMoved(before: Place | undefined, { left, top, scrolled }: Place, sinceActMs: number): boolean {
  if (!before) return true;
  if (Math.abs(before.left - left) < 2 && Math.abs(before.top - top) < 2) return false;
  const isScrolled = Math.abs(before.left - left) < 2 && Math.abs(before.top + before.scrolled - (top + scrolled)) < 2;
  return !isScrolled || sinceActMs > causedMs;
}

const noText = new Set(['checkbox', 'radio', 'button', 'submit', 'file', 'range']);
const isField = (element: HTMLElement): boolean =>
  element instanceof HTMLInputElement
    ? !noText.has(element.type)
    : element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element.isContentEditable;

const canBeTyped = (element: HTMLElement | undefined): boolean =>
  element?.isConnected === true && !element.matches(':disabled') && element.getClientRects().length > 0;

/** Returns how far rows are scrolled. Those of one list share the way up. */
function scrolls(): (row: Element) => number {
  const known = new Map<Element | null, number>();
  return ({ parentElement }) => {
    let sum = known.get(parentElement);
    if (sum === undefined) {
      sum = 0;
      for (let one = parentElement; one; one = one.parentElement) sum += one.scrollTop;
      known.set(parentElement, sum);
    }
    return sum;
  };
}
