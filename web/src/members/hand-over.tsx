import { useState } from 'react';
import type { Member } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { fieldLook } from './role-choice';
import type { useMembers } from './use-members';
import { nameAmong, type People, userOf } from './who';

interface HandOverProps {
  id: string;
  members: readonly Member[];
  people: People;
  offeredTo: string | undefined;
  with: ReturnType<typeof useMembers>;
}

/** Offers the conversation to a member, who becomes its owner when they accept. */
export function HandOver({ id, members, people, offeredTo, with: { busy, attempt } }: HandOverProps) {
  const { client } = useVigil();
  const [chosen, setChosen] = useState('');
  const able = members.flatMap((one) => {
    const user = userOf(one);
    return user !== undefined && one.role === 'member' && !one.asks ? [{ user, name: nameAmong(people, one) }] : [];
  });
  if (able.length === 0 && offeredTo === undefined) return null;
  const offer = (user: string | null) => attempt(() => client.api.offerOwnership(id, user));
  const user = able.some((one) => one.user === chosen) ? chosen : (able[0]?.user ?? '');
  return (
    <section
      aria-label={t('Hand it over')}
      className="mt-3 flex flex-col gap-2 rounded-xl border border-line p-3 text-sm"
    >
      <h3 className="font-semibold">{t('Hand it over')}</h3>
      {offeredTo !== undefined ? (
        <div className="flex items-center gap-3">
          <p className="min-w-0 grow [overflow-wrap:anywhere]">
            {t('Offered to {name}. It is yours until they accept.', {
              name: able.find((one) => one.user === offeredTo)?.name ?? offeredTo,
            })}
          </p>
          <Button disabled={busy} onClick={() => void offer(null)}>
            {t('Take back')}
          </Button>
        </div>
      ) : (
        <>
          <p className="text-muted text-xs">
            {t('Its agents then act for them, and what they cost is theirs. You stay as one who writes.')}
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <select
              aria-label={t('The next owner')}
              value={user}
              onChange={({ target }) => setChosen(target.value)}
              className={`${fieldLook} grow basis-40`}
            >
              {able.map((one) => (
                <option key={one.user} value={one.user}>
                  {one.name}
                </option>
              ))}
            </select>
            <Button disabled={busy} onClick={() => void offer(user)}>
              {t('Offer it')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
