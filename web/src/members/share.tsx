import { type RefObject, useRef, useState } from 'react';
import { useConversation, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { ListDialog } from '../ui/dialog';
import { useRows } from '../ui/receipt';
import { AddMember } from './add-member';
import { HandOver } from './hand-over';
import { Links } from './links';
import { MemberRow, memberRow, PersonRow } from './member-rows';
import { useMembers } from './use-members';
import { usePeopleOf } from './use-people';
import { nameAmong, userOf } from './who';

export interface ShareProps {
  id: string;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** The people of a conversation. Its owner shares it here; others see who is in it, and leave. */
export function Share({ id, close, opener }: ShareProps) {
  const { me, client } = useVigil();
  const [isMuted, setMuted] = useState(false);
  const { conversation, people: state } = useConversation(id);
  const people = usePeopleOf(conversation, state);
  const title = useRef<HTMLHeadingElement>(null);
  const owns = people.role === 'owner';
  const members = useMembers(id);
  const all = conversation?.members ?? [];
  const rows = useRows(all, ({ member }) => memberRow(member));
  const taker = people.all.find(
    ({ user }) => user === conversation?.takenBy?.user && !all.some((member) => userOf(member) === user),
  );
  return (
    <ListDialog
      title={owns ? t('Share this conversation') : t('People of this conversation')}
      about={owns ? t('Its agents act for you, no matter who writes. What has an effect is asked of you.') : undefined}
      close={close}
      heading={title}
      opener={opener}
      className="w-[34rem] max-w-[calc(100vw-2rem)]"
    >
      <div className="overflow-y-auto px-5 pb-5">
        <ul aria-label={t('People')} className="divide-y divide-line">
          <PersonRow
            who={people.owner}
            isHere={state.here.includes(people.owner.user)}
            about={t('Owner: its agents act for them')}
          />
          {rows.map((member) => (
            <MemberRow
              key={member.member}
              member={member}
              name={nameAmong(people, member)}
              here={state.here}
              me={me.user}
              owns={owns}
              members={members}
              close={close}
            />
          ))}
          {taker && (
            <PersonRow
              who={taker}
              isHere={state.here.includes(taker.user)}
              about={t('Has taken it over, until they give it back')}
            />
          )}
        </ul>
        {members.problem && (
          <p role="alert" className="pt-2 text-bad text-sm">
            {members.problem}
          </p>
        )}
        <Button
          className="mt-3"
          onClick={() =>
            void client.api.setIgnored({ name: `conversation:${id}`, ignored: true }).then(
              () => setMuted(true),
              () => undefined,
            )
          }
        >
          {t('Mute this conversation')}
        </Button>
        <p role="status" className="pt-2 text-muted text-xs">
          {isMuted && t('You get no notices of it. “Who may do what for me” in your menu ends that.')}
        </p>
        {owns && (
          <>
            <AddMember members={members} />
            <Links id={id} />
            <HandOver id={id} members={all} people={people} offeredTo={conversation?.offeredTo} with={members} />
          </>
        )}
      </div>
    </ListDialog>
  );
}
