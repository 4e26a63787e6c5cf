import { ChevronsUpDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { rich } from '../languages/rich';
import { lazily } from '../ui/late';
import { LateMenu } from '../ui/late-menu';

const UserActions = lazily<'UserActions', { children: ReactElement }>(() => import('./user-actions'), 'UserActions');

/** The signed-in user, with their menu. */
export function UserMenu() {
  const { user } = useVigil().session;
  const button = (
    <button type="button" className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 text-sm hover:bg-line/50">
      <span
        aria-hidden
        className="grid size-6 place-items-center rounded-full bg-mine text-xs font-semibold text-accent"
      >
        {[...user][0]?.toUpperCase()}
      </span>
      <span className="min-w-0 grow truncate text-left font-medium">
        {rich('<hidden>Signed in as </hidden>{user}', {
          user,
          hidden: (text) => <span className="sr-only">{text}</span>,
        })}
      </span>
      <ChevronsUpDown aria-hidden className="size-3.5 text-faint" />
    </button>
  );
  return (
    <div className="border-t border-line p-2">
      <LateMenu button={button}>
        <UserActions>{button}</UserActions>
      </LateMenu>
    </div>
  );
}
