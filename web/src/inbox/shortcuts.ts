import { t } from '../languages/catalogue';

/** What a key does to what waits for the user. */
export type InboxAction = 'next' | 'previous' | 'approve' | 'deny' | 'edit' | 'select' | 'snooze' | 'open' | 'clear';

interface Shortcut {
  /** As in `KeyboardEvent.key`, in lower case. */
  keys: readonly string[];
  /** As it stands on the keyboard. */
  label: string;
  does: () => string;
}

/** The keys of the list of what waits. The sheet of all keys shows them. */
export const shortcuts: Record<InboxAction, Shortcut> = {
  next: { keys: ['j'], label: 'J', does: () => t('Go to the next one') },
  previous: { keys: ['k'], label: 'K', does: () => t('Go to the one before') },
  approve: { keys: ['a'], label: 'A', does: () => t('Approve it; one that is folded asks first') },
  deny: { keys: ['d'], label: 'D', does: () => t('Deny it, with a reason') },
  edit: { keys: ['e'], label: 'E', does: () => t('Change what is approved, or answer') },
  select: { keys: ['x'], label: 'X', does: () => t('Select it') },
  snooze: { keys: ['s'], label: 'S', does: () => t('Snooze it, or all that are selected') },
  open: { keys: ['enter'], label: 'Enter', does: () => t('Open its conversation') },
  clear: { keys: ['escape'], label: 'Esc', does: () => t('Leave the field; select none') },
};

const actions = new Map(
  (Object.keys(shortcuts) as InboxAction[]).flatMap((action) => shortcuts[action].keys.map((key) => [key, action])),
);
/** Actions that may be repeated by a key that is held. Another decision is another press. */
const repeatable: ReadonlySet<InboxAction> = new Set(['next', 'previous']);

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing' | 'repeat' | 'defaultPrevented'
>;

/** Returns what a key does. Those with a modifier belong to the browser, those of an input method to it. */
export function actionOf(event: Pressed): InboxAction | undefined {
  const { key, keyCode, altKey, ctrlKey, metaKey, shiftKey, isComposing, repeat, defaultPrevented } = event;
  if (defaultPrevented || isComposing || keyCode === 229 || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  const action = actions.get(key.toLowerCase());
  return action && repeat && !repeatable.has(action) ? undefined : action;
}

/** Whether the focus is where keys are typed, or where they mean something else. */
export const takesKeys = (element: Element | null): boolean =>
  element !== null &&
  element.closest('input:not([type=checkbox]), textarea, select, [contenteditable], dialog, [role=menu]') !== null;
