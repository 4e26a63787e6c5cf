/** The part of a key's event that is read. */
type Key = Event & Pick<KeyboardEvent, 'isComposing' | 'keyCode'>;

/** The browser's code for a key that an input method has taken. */
const takenCode = 229;

/**
 * Keeps the keys of an input method from every handler: Enter confirms a word of Japanese, Escape drops it, and the arrow keys choose one. So no
 * handler has to ask. The browser still does with the key what it does itself.
 *
 * Safari ends the composition before it tells of the key, so `isComposing` is false for Enter there.
 *
 * @param page what all keys come through first.
 */
export function keepKeysOfInputMethods(page: EventTarget): void {
  const keep = (event: Event) => {
    const { isComposing, keyCode } = event as Key;
    if (isComposing || keyCode === takenCode) event.stopImmediatePropagation();
  };
  page.addEventListener('keydown', keep, { capture: true });
}
