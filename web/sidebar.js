import { byId, element, reconcile } from './elements.js';
import { stateOf } from './words.js';

/**
 * The list of conversations. @param {import('./api.js').Summary[]} conversations @param {string | undefined} current
 * @param {number} now
 */
export function showList(conversations, current, now) {
  reconcile(
    byId('list'),
    conversations.map(({ id, title, status, until }) => {
      const state = stateOf({ status, until }, now);
      return {
        key: id,
        shown: `${title} ${status} ${state} ${id === current}`,
        make: () =>
          element(
            'li',
            {},
            element(
              'a',
              { href: `#${id}`, class: status, ...(id === current && { 'aria-current': 'page' }) },
              element('span', { class: 'name' }, title || 'Untitled'),
              element('span', { class: 'state' }, state),
            ),
          ),
      };
    }),
  );
}

/** On a phone the list lies over the conversation, and goes away once one is chosen. */
export function openMenu() {
  const menu = byId('menu');
  const side = byId('side');
  /** @param {boolean} open */
  const set = (open) => {
    side.classList.toggle('open', open);
    menu.setAttribute('aria-expanded', String(open));
  };
  menu.addEventListener('click', () => set(!side.classList.contains('open')));
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && set(false));
  return { close: () => set(false) };
}
