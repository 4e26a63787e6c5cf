/** Makes an element. Content goes in as text, never as markup. @param {string} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} children */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** An element of the page by its id. @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
}

/** A text with its links made links, as nodes. @param {string} text @returns {(Node | string)[]} */
export const withLinks = (text) =>
  text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map((part, index) => {
    if (index % 2 === 0) return part;
    return element('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part);
  });

/**
 * Makes a parent's children those of `wanted`, in order, by key. A child whose `shown` is as before stays untouched, so that
 * what a reader has opened or selected stays so, and only what is new is announced.
 *
 * @param {HTMLElement} parent
 * @param {{key: string, shown: string, make: (before?: HTMLElement) => HTMLElement}[]} wanted
 */
export function reconcile(parent, wanted) {
  const before = new Map([...parent.children].map((child) => [child.getAttribute('data-key'), child]));
  wanted.forEach(({ key, shown, make }, index) => {
    const old = /** @type {HTMLElement | undefined} */ (before.get(key));
    const kept = old?.getAttribute('data-shown') === shown ? old : undefined;
    const child = kept ?? make(old);
    if (!kept) {
      child.setAttribute('data-key', key);
      child.setAttribute('data-shown', shown);
    }
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
    if (old && old !== child) old.remove();
    before.delete(key);
  });
  for (const gone of before.values()) gone.remove();
}
