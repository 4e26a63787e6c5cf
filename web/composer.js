import { byId } from './elements.js';

/** Where messages are typed: Enter sends, Shift+Enter breaks the line. @param {(text: string) => void} send */
export function openComposer(send) {
  const field = byId('text');
  const grow = () => {
    field.rows = Math.min(8, field.value.split('\n').length);
  };
  field.addEventListener('input', grow);
  field.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    // An input method's Enter chooses a word; it does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    byId('compose').requestSubmit();
  });
  byId('compose').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    field.value = '';
    grow();
    send(text);
  });
  return { focus: () => field.focus() };
}
