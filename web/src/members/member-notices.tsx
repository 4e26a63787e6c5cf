import { Crown, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Member } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { wordsOf } from '../words/problem-words';
import { useMembers } from './use-members';
import { usePeople } from './use-people';
import { memberName } from './who';

/** Above the message field: who asks to be let in, and that the conversation is offered to the reader. */
export function MemberNotices({ id }: { id: string }) {
  const people = usePeople();
  if (!people) return null;
  return (
    <div className="mx-auto flex w-full max-w-[46rem] flex-col gap-2 px-4 pb-2 empty:hidden">
      {people.role === 'owner' && people.asking.map((one) => <Asking key={one.member} id={id} member={one} />)}
      {people.isOffered && <Offered id={id} owner={people.owner.name} />}
    </div>
  );
}

const look =
  'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-wait-line bg-wait-ground py-2 pr-2 pl-3.5 text-sm';

function Asking({ id, member }: { id: string; member: Member }) {
  const { busy, problem, set, remove } = useMembers(id);
  const name = memberName(member);
  return (
    <section data-row={member.member} aria-label={t('{name} asks to be let in', { name })} className={look}>
      <UserPlus aria-hidden className="size-4 shrink-0 text-wait" />
      <p className="min-w-40 grow basis-0 [overflow-wrap:anywhere]">
        {member.role === 'member'
          ? t('{name} has a link and asks to be let in, to write.', { name })
          : t('{name} has a link and asks to be let in, to read.', { name })}
        {problem && <span className="block text-bad">{problem}</span>}
      </p>
      <span className="ml-auto flex gap-2">
        <Button look="quiet" disabled={busy} onClick={() => void remove(member.member)}>
          {t('Refuse')}
        </Button>
        <Button look="strong" disabled={busy} onClick={() => void set({ member: member.member, role: member.role })}>
          {t('Let in')}
        </Button>
      </span>
    </section>
  );
}

function Offered({ id, owner }: { id: string; owner: string }) {
  const { client, follow } = useVigil();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const accept = async () => {
    setBusy(true);
    setProblem(await client.api.acceptOwnership(id).then(() => undefined, wordsOf));
    await follow.read(id);
    setBusy(false);
  };
  return (
    <section data-row="" aria-label={t('This conversation is offered to you')} className={look}>
      <Crown aria-hidden className="size-4 shrink-0 text-wait" />
      <p className="min-w-40 grow basis-0 [overflow-wrap:anywhere]">
        {t('{name} offers you this conversation: its agents then act for you, and what they cost is yours.', {
          name: owner,
        })}
        {problem && <span className="block text-bad">{problem}</span>}
      </p>
      <Button look="strong" className="ml-auto" disabled={busy} onClick={() => void accept()}>
        {t('Accept')}
      </Button>
    </section>
  );
}
