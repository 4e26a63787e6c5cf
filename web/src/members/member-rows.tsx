import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Member } from 'vigil-client/shared';
import { goTo } from '../hooks/use-place';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Receipt, useHeld } from '../ui/receipt';
import { Face } from './face';
import { RoleChoice } from './role-choice';
import type { useMembers } from './use-members';
import { userOf, type Who } from './who';

/** Names the row of a member. */
export const memberRow = (member: string): string => `member ${member}`;

const row = 'flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5 text-sm';

const Named = ({ face, name, about }: { face: ReactNode; name: ReactNode; about: string }) => (
  <>
    {face}
    <span className="min-w-32 grow basis-0">
      <span className="block font-medium [overflow-wrap:anywhere]">{name}</span>
      <span className="block text-faint text-xs [overflow-wrap:anywhere]">{about}</span>
    </span>
  </>
);

const You = () => <span className="font-normal text-faint"> {t('· you')}</span>;

interface PersonRowProps {
  who: Who;
  isHere: boolean;
  about: string;
}

/** Somebody who is in it otherwise than as a member: its owner, or the one who has taken it over. */
export const PersonRow = ({ who, isHere, about }: PersonRowProps) => (
  <li className={row}>
    <Named
      face={<Face {...who} isHere={isHere} />}
      name={
        <>
          {who.name}
          {who.isMe && <You />}
        </>
      }
      about={about}
    />
  </li>
);

interface MemberRowProps {
  member: Member;
  name: string;
  here: readonly string[];
  me: string;
  owns: boolean;
  members: ReturnType<typeof useMembers>;
  close: () => void;
}

export function MemberRow({ member, name, here, me, owns, members, close }: MemberRowProps) {
  const { member: id, role, asks, invited } = member;
  const user = userOf(member);
  const { busy, set, remove } = members;
  const face =
    user === undefined ? (
      <Users aria-hidden className="size-6 shrink-0 p-0.5 text-muted" />
    ) : (
      <Face user={user} name={name} isHere={here.includes(user)} />
    );
  const about = asks
    ? t('Has a link and asks to be let in')
    : invited
      ? t('Is invited, and has not accepted yet')
      : user === undefined
        ? t('Everybody of this group')
        : here.includes(user)
          ? t('Is here now')
          : user;
  const { held } = useVigil();
  const receipt = useHeld(memberRow(id));
  const removes = () => void held.atOnce(memberRow(id), t('{name} is removed.', { name }), () => remove(id));
  const leaves = async () => {
    if (!(await remove(id))) return;
    close();
    goTo(undefined);
  };
  return (
    <li data-row={memberRow(id)} className={row}>
      <Named
        face={face}
        name={
          <>
            {name}
            {user === me && <You />}
          </>
        }
        about={about}
      />
      {receipt && <Receipt held={receipt} />}
      {!receipt && owns && asks && (
        <span className="flex gap-2">
          <Button look="quiet" disabled={busy} onClick={removes} aria-label={t('Refuse {name}', { name })}>
            {t('Refuse')}
          </Button>
          <Button
            look="strong"
            disabled={busy}
            onClick={() => void set({ member: id, role })}
            aria-label={t('Let {name} in', { name })}
          >
            {t('Let in')}
          </Button>
        </span>
      )}
      {!receipt && owns && !asks && (
        <span className="flex gap-2">
          <RoleChoice
            label={t('What {name} may do', { name })}
            role={role}
            disabled={busy}
            change={(to) => void set({ member: id, role: to })}
          />
          <Button look="quiet" disabled={busy} onClick={removes} aria-label={t('Remove {name}', { name })}>
            {t('Remove')}
          </Button>
        </span>
      )}
      {!owns && <span className="text-muted text-xs">{role === 'member' ? t('Writes') : t('Reads')}</span>}
      {!owns && user === me && (
        <Button disabled={busy} onClick={() => void leaves()}>
          {t('Leave')}
        </Button>
      )}
    </li>
  );
}
