import { t } from '../languages/catalogue';

/** What a key does to what waits for the user. */
export type InboxAction =
  | 'next'
  | 'previous'
  | 'approve'
  | 'deny'
  | 'edit'
  | 'select'
  | 'snooze'
  | 'open'
  | 'clear'
  | 'help';

interface Shortcut {
  /** As in `KeyboardEvent.key`, in lower case. */
  keys: readonly string[];
  /** As it stands on the keyboard. */
  label: string;
}

/** The keys of the list of what waits. The sheet that `?` opens shows them. */
export const shortcuts: Record<InboxAction, Shortcut> = {
  next: { keys: ['j'], label: 'J' },
  previous: { keys: ['k'], label: 'K' },
  approve: { keys: ['a'], label: 'A' },
  deny: { keys: ['d'], label: 'D' },
  edit: { keys: ['e'], label: 'E' },
  select: { keys: ['x'], label: 'X' },
  snooze: { keys: ['s'], label: 'S' },
  open: { keys: ['enter'], label: 'Enter' },
  clear: { keys: ['escape'], label: 'Esc' },
  help: { keys: ['?'], label: '?' },
};

/** Returns what the key of an action does, in words. */
export function actionWords(action: InboxAction): string {
  switch (action) {
    case 'next':
      return t('Go to the next one');
    case 'previous':
      return t('Go to the one before');
    case 'approve':
      return t('Approve it; one that is folded asks first');
    case 'deny':
      return t('Deny it, with a reason');
    case 'edit':
      return t('Change what is approved, or answer');
    case 'select':
      return t('Select it');
    case 'snooze':
      return t('Snooze it, or all that are selected');
    case 'open':
      return t('Open its conversation');
    case 'clear':
      return t('Leave the field; select none');
    case 'help':
      return t('Show these keys');
  }
}

const actions = new Map(
  (Object.keys(shortcuts) as InboxAction[]).flatMap((action) => shortcuts[action].keys.map((key) => [key, action])),
);
/** Actions that may be repeated by a key that is held. Another decision is another press. */
const repeatable: ReadonlySet<InboxAction> = new Set(['next', 'previous']);

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing' | 'repeat' | 'defaultPrevented'
>;

/** Returns what a key does. Those with a modifier belong to the browser, those of an input method to it; `?` may need Shift. */
export function actionOf(event: Pressed): InboxAction | undefined {
  const { key, keyCode, altKey, ctrlKey, metaKey, shiftKey, isComposing, repeat, defaultPrevented } = event;
  if (defaultPrevented || isComposing || keyCode === 229 || altKey || ctrlKey || metaKey) return undefined;
  if (shiftKey && key !== '?') return undefined;
  const action = actions.get(key.toLowerCase());
  return action && repeat && !repeatable.has(action) ? undefined : action;
}

/** Whether the focus is where keys are typed, or where they mean something else. */
export const takesKeys = (element: Element | null): boolean =>
  element !== null &&
  element.closest('input:not([type=checkbox]), textarea, select, [contenteditable], dialog, [role=menu]') !== null;
