import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';
import { Late } from './late';

interface LateMenuProps {
  /** The button that opens the menu. */
  button: ReactElement<{ onClick?: () => void }>;
  /** The menu with its button, from a part that loads late. It opens when it is first shown. */
  children: ReactNode;
}

/** A button with a menu that is loaded when it is first opened: the list has hundreds of them. */
export function LateMenu({ button, children }: LateMenuProps) {
  const [isUsed, setUsed] = useState(false);
  const first = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setUsed(true),
  } as object);
  return isUsed ? <Late meanwhile={first}>{children}</Late> : first;
}
