import { Bell, Gauge, LogOut, NotebookPen, ShieldCheck } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactElement, useRef, useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { Late, lazily } from '../ui/late';

const Allowed = lazily(() => import('./allowed'), 'Allowed');
const Allowances = lazily(() => import('./allowances'), 'Allowances');
const Memories = lazily(() => import('./memories'), 'Memories');
const MakePeople = lazily(() => import('../people/make-people'), 'MakePeople');
const PeopleItems = lazily(() => import('../people/people-items'), 'PeopleItems');
const NoticeSettings = lazily(() => import('../notices/notice-settings'), 'NoticeSettings');

const item =
  'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-[highlighted]:bg-side';

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
      <DropdownMenu.Root modal={false} defaultOpen>
        <DropdownMenu.Trigger asChild ref={trigger}>
          {children}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            side="top"
            align="start"
            sideOffset={4}
            className="z-40 min-w-48 max-w-72 animate-appear rounded-xl border border-line bg-raised p-1 shadow-lg"
          >
            <DropdownMenu.Item onSelect={() => setRemembers(true)} className={item}>
              <NotebookPen aria-hidden className="size-4 text-faint" /> What agents remember…
            </DropdownMenu.Item>
            <DropdownMenu.Item onSelect={() => setAllows(true)} className={item}>
              <ShieldCheck aria-hidden className="size-4 text-faint" /> What you have allowed…
            </DropdownMenu.Item>
            <DropdownMenu.Item onSelect={() => setCounts(true)} className={item}>
              <Gauge aria-hidden className="size-4 text-faint" /> What you use…
            </DropdownMenu.Item>
            <DropdownMenu.Item onSelect={() => setNotifies(true)} className={item}>
              <Bell aria-hidden className="size-4 text-faint" /> Notifications…
            </DropdownMenu.Item>
            {(people || signOut) && <DropdownMenu.Separator className="my-1 h-px bg-line" />}
            {people && (
              <Late>
                <PeopleItems people={people} user={user} make={() => setMakes(true)} className={item} />
              </Late>
            )}
            {signOut && (
              <DropdownMenu.Item onSelect={() => void notices.leave().then(signOut)} className={item}>
                <LogOut aria-hidden className="size-4" /> Sign out
              </DropdownMenu.Item>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
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
