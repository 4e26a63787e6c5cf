import { type ReactElement, useRef } from 'react';
import { ChoiceItems } from '../actions/choice';
import { showDialog } from '../actions/page-dialog';
import { signOutChoice, userChoices } from '../actions/user-choices';
import { useVigil } from '../hooks/use-vigil';
import { PeopleItems } from '../people/people-items';
import { Menu, MenuLine } from '../ui/menu';

/**
 * The user's menu, which opens when it is first shown: what agents remember, what is used of the limits; on a laptop, also the choice of
 * another person. A menu is whole when it opens: a part that came later would move another item under the pointer.
 */
export function UserActions({ children }: { children: ReactElement }) {
  const vigil = useVigil();
  const { user, people } = vigil.session;
  const trigger = useRef<HTMLButtonElement>(null);
  const signOut = signOutChoice(vigil);
  return (
    <Menu button={children} trigger={trigger} side="top" align="start">
      <ChoiceItems choices={userChoices(trigger)} />
      {(people || signOut.length > 0) && <MenuLine />}
      {people && <PeopleItems people={people} user={user} make={() => showDialog({ is: 'people', opener: trigger })} />}
      <ChoiceItems choices={signOut} />
    </Menu>
  );
}
