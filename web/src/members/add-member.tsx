import { useCallback, useId, useState } from 'react';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { fieldLook, type Role, RoleChoice } from './role-choice';
import type { useMembers } from './use-members';

type Kind = 'user' | 'group';

/** Shares the conversation with a user or a group. On a laptop, the people of the browser are offered. */
export function AddMember({ members: { busy, set } }: { members: ReturnType<typeof useMembers> }) {
  const { session, me } = useVigil();
  const { people } = session;
  const readPeople = useCallback(async () => (await people?.withIds()) ?? [], [people]);
  const { value: known = [] } = useRead(readPeople);
  const [kind, setKind] = useState<Kind>('user');
  const [typed, setTyped] = useState('');
  const [called, setCalled] = useState('');
  const [role, setRole] = useState<Role>('member');
  const offers = useId();
  const others = known.filter(({ user }) => user !== me.user);
  const person = others.find(({ name }) => name.toLowerCase() === typed.trim().toLowerCase());
  const add = async () => {
    const name = called.trim() || (kind === 'user' ? person?.name : '');
    const member = `${kind}:${kind === 'user' ? (person?.user ?? typed.trim()) : typed.trim()}`;
    if (!(await set({ member, role, ...(name && { name }) }))) return;
    setTyped('');
    setCalled('');
  };
  return (
    <form
      aria-label={t('Add people')}
      className="mt-3 flex flex-col gap-2 rounded-xl border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <h3 className="font-semibold text-sm">{t('Add people')}</h3>
      <div className="flex flex-wrap gap-2">
        <select
          aria-label={t('Whom to add')}
          value={kind}
          onChange={({ target }) => setKind(target.value as Kind)}
          className={fieldLook}
        >
          <option value="user">{t('A user')}</option>
          <option value="group">{t('A group')}</option>
        </select>
        <input
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          list={kind === 'user' && others.length > 0 ? offers : undefined}
          aria-label={kind === 'user' ? t('The user’s id') : t('The name of the group')}
          placeholder={kind === 'user' ? t('The user’s id') : t('The name of the group')}
          maxLength={128}
          autoComplete="off"
          className={`${fieldLook} grow basis-40`}
        />
        {kind === 'user' && (
          <datalist id={offers}>
            {others.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {kind === 'user' && (
          <input
            value={called}
            onChange={({ target }) => setCalled(target.value)}
            aria-label={t('Their name, as others see it')}
            placeholder={person?.name ?? t('Their name, as others see it')}
            maxLength={40}
            autoComplete="off"
            className={`${fieldLook} grow basis-40`}
          />
        )}
        <RoleChoice label={t('What they may do')} role={role} change={setRole} />
        <Button look="strong" type="submit" disabled={busy || typed.trim() === ''} className="ml-auto">
          {t('Add')}
        </Button>
      </div>
    </form>
  );
}
