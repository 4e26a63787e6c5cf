import { type ReactElement, useRef } from 'react';
import { ChoiceItems } from '../actions/choice';
import { showDialog } from '../actions/page-dialog';
import { signOutChoice, userChoices } from '../actions/user-choices';
import { useVigil } from '../hooks/use-vigil';
import { Late, lazily } from '../ui/late';
import { Menu, MenuLine } from '../ui/menu';

const PeopleItems = lazily(() => import('../people/people-items'), 'PeopleItems');

/** The user's menu, which opens when it is first shown: what agents remember, what is used of the limits; on a laptop, also the choice of another person. */
export function UserActions({ children }: { children: ReactElement }) {
  const vigil = useVigil();
  const { user, people } = vigil.session;
  const trigger = useRef<HTMLButtonElement>(null);
  const signOut = signOutChoice(vigil);
  return (
    <Menu button={children} trigger={trigger} side="top" align="start">
      <ChoiceItems choices={userChoices(trigger)} />
      {(people || signOut.length > 0) && <MenuLine />}
      {people && (
        <Late>
          <PeopleItems people={people} user={user} make={() => showDialog({ is: 'people', opener: trigger })} />
        </Late>
      )}
      <ChoiceItems choices={signOut} />
    </Menu>
  );
}
