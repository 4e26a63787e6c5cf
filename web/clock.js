import { byId } from './elements.js';
import { fullTime, span } from './words.js';

/**
 * The local cloud's clock, which can be moved forward: to see a reminder of next week now.
 *
 * @param {{move: (move: {advance: string} | {to: string}) => Promise<{now: string, offset: number}>, wakeUp: () => string | undefined, moved: () => void, failed: (error: unknown) => void}} options
 */
export function openClock({ move, wakeUp, moved, failed }) {
  let ahead = 0;
  let offset = 0;
  const now = () => Date.now() + ahead;

  const show = () => {
    byId('now').textContent = fullTime(now());
    byId('offset').textContent = offset >= 60_000 ? `${span(offset)} ahead` : '';
    byId('wake').disabled = !wakeUp();
  };

  /** @param {{now: string, offset: number}} told */
  const set = (told) => {
    ahead = Date.parse(told.now) - Date.now();
    offset = told.offset;
    show();
  };

  /** @param {string} how */
  const target = (how) => {
    if (how === 'wake') return { to: wakeUp() ?? new Date(now()).toISOString() };
    if (how !== 'morning') return { advance: how };
    const eight = new Date(now());
    eight.setUTCHours(8, 0, 0, 0);
    if (eight.getTime() <= now()) eight.setUTCDate(eight.getUTCDate() + 1);
    return { to: eight.toISOString() };
  };

  for (const button of document.querySelectorAll('[data-advance]')) {
    button.addEventListener('click', async () => {
      try {
        set(await move(target(button.getAttribute('data-advance') ?? '')));
        moved();
      } catch (error) {
        failed(error);
      }
    });
  }
  setInterval(show, 1_000);
  return { now, set, show };
}
