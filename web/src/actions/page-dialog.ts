import type { RefObject } from 'react';
import { createStore } from 'zustand/vanilla';
import type { Assignable } from '../rows/deciders';

/** A dialog that an action opens, whatever it was chosen from. */
export type PageDialog = {
  /** The element that gets the focus afterwards if the one that had it is gone, such as the button of a menu. */
  opener?: RefObject<HTMLElement | null>;
} & (
  | { is: 'settings' | 'keys' | 'memories' | 'allowed' | 'allowances' | 'people' }
  | { is: 'rename'; id: string; title: string }
  | { is: 'zip' | 'stop' | 'share'; id: string }
  | { is: 'give-back'; id: string; callbackId: string }
  | { is: 'step-in'; id: string }
  | { is: 'told'; title: string; text: string }
  | { is: 'assign'; items: readonly Assignable[]; done?: () => void }
);

/** The dialog that is open. The page shows one at a time. */
export const pageDialog = createStore<{ open?: PageDialog }>(() => ({}));

export const showDialog = (open: PageDialog): void => pageDialog.setState({ open });
export const closeDialog = (): void => pageDialog.setState({ open: undefined });
