import { Bell, Gauge, LogOut, NotebookPen, ShieldCheck } from 'lucide-react';
import { type ReactElement, useRef, useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Late, lazily } from '../ui/late';
import { Menu, MenuItem, MenuLine } from '../ui/menu';

const Allowed = lazily(() => import('./allowed'), 'Allowed');
const Allowances = lazily(() => import('./allowances'), 'Allowances');
const Memories = lazily(() => import('./memories'), 'Memories');
const MakePeople = lazily(() => import('../people/make-people'), 'MakePeople');
const PeopleItems = lazily(() => import('../people/people-items'), 'PeopleItems');
const NoticeSettings = lazily(() => import('../notices/notice-settings'), 'NoticeSettings');

/** The user's menu, which opens when it is first shown: what agents remember, what is used of the limits; on a laptop, also the choice of another person. */
export function UserActions({ children }: { children: ReactElement }) {
  const { session, notices } = useVigil();
  const { user, people, signOut } = session;
  const [remembers, setRemembers] = useState(false);
  const [allows, setAllows] = useState(false);
  const [counts, setCounts] = useState(false);
  const [notifies, setNotifies] = useState(false);
  const [makes, setMakes] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Menu button={children} trigger={trigger} side="top" align="start">
        <MenuItem icon={<NotebookPen />} choose={() => setRemembers(true)}>
          {t('What agents remember…')}
        </MenuItem>
        <MenuItem icon={<ShieldCheck />} choose={() => setAllows(true)}>
          {t('What you have allowed…')}
        </MenuItem>
        <MenuItem icon={<Gauge />} choose={() => setCounts(true)}>
          {t('What you use…')}
        </MenuItem>
        <MenuItem icon={<Bell />} choose={() => setNotifies(true)}>
          {t('Notifications…')}
        </MenuItem>
        {(people || signOut) && <MenuLine />}
        {people && (
          <Late>
            <PeopleItems people={people} user={user} make={() => setMakes(true)} />
          </Late>
        )}
        {signOut && (
          <MenuItem icon={<LogOut />} choose={() => void notices.leave().then(signOut)}>
            {t('Sign out')}
          </MenuItem>
        )}
      </Menu>
      <Late>
        {remembers && <Memories close={() => setRemembers(false)} opener={trigger} />}
        {notifies && <NoticeSettings close={() => setNotifies(false)} opener={trigger} />}
        {makes && people && <MakePeople people={people} user={user} close={() => setMakes(false)} opener={trigger} />}
        {allows && <Allowed close={() => setAllows(false)} opener={trigger} />}
        {counts && <Allowances close={() => setCounts(false)} opener={trigger} />}
      </Late>
    </>
  );
}
