import { t } from '../languages/catalogue';

/** What a key does wherever one is on the page. */
export type PageAction = 'find' | 'begin' | 'settings' | 'inspect' | 'keys';

interface PageKey {
  /** As in `KeyboardEvent.key`, in lower case. */
  key: string;
  /** With Ctrl, on a Mac ⌘. Without, it does nothing in a field. */
  withControl: boolean;
  withShift?: true;
  label: () => string;
  does: () => string;
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
const control = (key: string): string => (isMac() ? `⌘${key}` : `Ctrl+${key}`);
const controlShift = (key: string): string => (isMac() ? `⇧⌘${key}` : `Ctrl+Shift+${key}`);

export const pageKeys: Record<PageAction, PageKey> = {
  find: {
    key: 'k',
    withControl: true,
    label: () => control('K'),
    does: () => t('Find a conversation, what was said, or an action'),
  },
  begin: {
    key: 'o',
    withControl: true,
    withShift: true,
    label: () => controlShift('O'),
    does: () => t('Begin a new conversation'),
  },
  settings: { key: ',', withControl: true, label: () => control(','), does: () => t('Open the settings') },
  inspect: { key: '.', withControl: true, label: () => control('.'), does: () => t('Inspect how the agent works') },
  keys: { key: '?', withControl: false, label: () => '?', does: () => t('Show these keys') },
};

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'repeat' | 'defaultPrevented'
>;

/** Returns what a key does. `?` may need Shift, as its keyboard has it. */
export function pageActionOf(event: Pressed): PageAction | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
  if (defaultPrevented || repeat || altKey) return undefined;
  const isControl = ctrlKey || metaKey;
  return (Object.keys(pageKeys) as PageAction[]).find((action) => {
    const one = pageKeys[action];
    if (one.key !== key.toLowerCase() || one.withControl !== isControl) return false;
    return !isControl || shiftKey === (one.withShift ?? false);
  });
}
