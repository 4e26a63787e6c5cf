import { byId } from './elements.js';

/** How long the words about something that was tried by hand stay, whatever else goes well meanwhile. */
const readingMs = 8_000;

/** The bar that says what went wrong, and what to do. */
export function openTrouble() {
  let until = 0;
  /** @param {unknown} error */
  const show = (error) => {
    const box = byId('trouble');
    const words = error instanceof Error ? error.message : String(error ?? '');
    if (box.textContent !== words) box.textContent = words;
    box.hidden = !words;
  };
  return {
    show,
    /** @param {unknown} error */
    keep(error) {
      until = Date.now() + readingMs;
      show(error);
    },
    clear: () => Date.now() < until || show(undefined),
  };
}
