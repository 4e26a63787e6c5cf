import { DropdownMenu } from 'radix-ui';
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';

interface MenuProps {
  /** The button that opens the menu. */
  button: ReactElement;
  trigger: RefObject<HTMLButtonElement | null>;
  side?: 'top' | 'bottom';
  align: 'start' | 'end';
  children: ReactNode;
}

/** A menu at its button. It is open when it is first shown (`late-menu.tsx`). */
export function Menu({ button, trigger, children, ...place }: MenuProps) {
  // In the part of the page where its button is, which a screen reader names.
  const [part, setPart] = useState<HTMLElement | null>();
  useLayoutEffect(() => setPart(trigger.current?.closest<HTMLElement>('main, aside')), [trigger]);
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild ref={trigger}>
        {button}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={part}>
        <DropdownMenu.Content
          {...place}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 min-w-48 max-w-72 animate-appear rounded-xl border border-line bg-raised p-1 shadow-lg"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const look = 'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none';
/** The look of what can be chosen. */
export const menuItem = `${look} data-[highlighted]:bg-side`;

interface MenuItemProps {
  icon: ReactElement;
  choose: () => void;
  /** It cannot be undone. */
  danger?: true;
  children: ReactNode;
}

export const MenuItem = ({ icon, choose, danger, children }: MenuItemProps) => (
  <DropdownMenu.Item
    onSelect={choose}
    className={danger ? `${look} text-bad data-[highlighted]:bg-bad-ground` : menuItem}
  >
    <span aria-hidden className={danger ? '[&>svg]:size-4' : 'text-faint [&>svg]:size-4'}>
      {icon}
    </span>
    {children}
  </DropdownMenu.Item>
);

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;
