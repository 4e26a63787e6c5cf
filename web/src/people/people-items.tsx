import { Check, Columns2, Users } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { t } from '../languages/catalogue';
import { MenuItem, menuItem } from '../ui/menu';
import { addressAs, memberships, type People } from './people';

interface PeopleItemsProps {
  people: People;
  /** The person of the page. */
  user: string;
  make: () => void;
}

/** The people of the local cloud. They are read each time that the menu is opened. */
export function PeopleItems({ people, user, make }: PeopleItemsProps) {
  const all = people.list();
  const other = all.find(({ name }) => name !== user);
  return (
    <>
      <DropdownMenu.RadioGroup value={user} onValueChange={people.become} className="max-h-60 overflow-y-auto">
        <DropdownMenu.Label className="px-2.5 py-1 text-xs text-faint">{t('Switch to')}</DropdownMenu.Label>
        {all.map((person) => (
          <DropdownMenu.RadioItem key={person.name} value={person.name} className={menuItem}>
            <span className="min-w-0 grow">
              <span className="block truncate">{person.name}</span>
              <span className="block truncate text-faint text-xs empty:hidden">{memberships(person)}</span>
            </span>
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden className="size-4 text-accent" />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <MenuItem icon={<Users />} choose={make}>
        {t('People…')}
      </MenuItem>
      <MenuItem icon={<Columns2 />} choose={() => location.assign(addressAs(user, other!.name))}>
        {t('Two people side by side')}
      </MenuItem>
    </>
  );
}
