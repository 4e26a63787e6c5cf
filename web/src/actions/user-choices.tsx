import { Gauge, LogOut, NotebookPen, Settings, ShieldCheck } from 'lucide-react';
import type { RefObject } from 'react';
import { t } from '../languages/catalogue';
import type { Vigil } from '../state/vigil';
import type { Choice } from './choice';
import { showDialog } from './page-dialog';
import { pageKeys } from './page-keys';

/** Returns what a user can do about themselves. */
export const userChoices = (opener?: RefObject<HTMLElement | null>): Choice[] => [
  {
    id: 'memories',
    words: t('What agents remember…'),
    icon: <NotebookPen />,
    also: t('memory forget'),
    choose: () => showDialog({ is: 'memories', opener }),
  },
  {
    id: 'allowed',
    words: t('Who may do what for me…'),
    icon: <ShieldCheck />,
    also: t('standing approvals absence'),
    choose: () => showDialog({ is: 'allowed', opener }),
  },
  {
    id: 'allowances',
    words: t('What you use…'),
    icon: <Gauge />,
    also: t('limits cost usage'),
    choose: () => showDialog({ is: 'allowances', opener }),
  },
  {
    id: 'settings',
    words: t('Settings…'),
    icon: <Settings />,
    keys: pageKeys.settings.label(),
    also: t('language theme density dates notifications'),
    choose: () => showDialog({ is: 'settings', opener }),
  },
];

/** Returns the choice to sign out, where one can. */
export function signOutChoice({ session: { signOut }, notices }: Vigil): Choice[] {
  if (!signOut) return [];
  const leave = () => void notices.leave().then(signOut);
  return [{ id: 'signOut', words: t('Sign out'), icon: <LogOut />, also: t('log out leave'), choose: leave }];
}
