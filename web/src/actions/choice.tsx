import type { ReactElement } from 'react';
import { MenuItem, MenuLine } from '../ui/menu';

/** Something that the user can do, in a menu or in the palette. */
export interface Choice {
  id: string;
  words: string;
  icon: ReactElement;
  choose: () => void;
  /** It cannot be undone. */
  danger?: true;
  /** Further words by which the palette finds it. */
  also?: string;
  /** The keys that do it, as they stand on the keyboard. */
  keys?: string;
}

/** Choices as the items of a menu; what cannot be undone stands below a line. */
export const ChoiceItems = ({ choices }: { choices: readonly Choice[] }) =>
  choices.map(({ id, words, icon, choose, danger }) => [
    danger && <MenuLine key={`${id} line`} />,
    <MenuItem key={id} icon={icon} choose={choose} danger={danger}>
      {words}
    </MenuItem>,
  ]);
