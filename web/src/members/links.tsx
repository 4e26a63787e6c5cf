import { useCallback, useState } from 'react';
import type { ConversationLink } from 'vigil-client/shared';
import { useRead } from '../hooks/use-read';
import { useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { CopyButton } from '../markdown/copy-button';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { Receipt, useHeld, useRows } from '../ui/receipt';
import { Trouble } from '../ui/trouble';
import { wordsOf } from '../words/problem-words';
import { joinAddress } from './join';
import { fieldLook, type Role, RoleChoice } from './role-choice';

const hour = 3_600;
const lasting = [hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour] as const;
const lastingWords = (seconds: number): string => {
  switch (seconds) {
    case hour:
      return t('for an hour');
    case 24 * hour:
      return t('for a day');
    case 7 * 24 * hour:
      return t('for a week');
    default:
      return t('for 30 days');
  }
};

const isOver = ({ revokedAt, expiresAt, once, uses }: ConversationLink, now: number): boolean =>
  revokedAt !== undefined || Date.parse(expiresAt) <= now || (once && uses > 0);

/** The links by which people come in. Only a new one has its address: its secret is not stored. */
export function Links({ id }: { id: string }) {
  const { client, held } = useVigil();
  const { api } = client;
  const now = useNow();
  const read = useCallback(async () => (await api.links(id)).links, [api, id]);
  const { value: links = [], reading, again } = useRead(read);
  const [role, setRole] = useState<Role>('member');
  const [lasts, setLasts] = useState<number>(24 * hour);
  const [once, setOnce] = useState(false);
  const [made, setMade] = useState<{ id: string; address: string }>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(await work().then(() => undefined, wordsOf));
    setBusy(false);
    again();
  };
  const make = () =>
    attempt(async () => {
      const { id: linkId, secret } = await api.makeLink(id, { role, expiresInSeconds: lasts, once });
      setMade({ id: linkId, address: joinAddress(id, secret) });
    });
  const revoke = (link: string) =>
    attempt(async () => {
      await held.atOnce(link, t('Revoked'), () => api.revokeLink(id, link));
      if (made?.id === link) setMade(undefined);
    });
  const open = useRows(
    links.filter((one) => !isOver(one, now)),
    ({ id: link }) => link,
  );
  return (
    <section aria-label={t('Links')} className="mt-3 flex flex-col gap-2 rounded-xl border border-line p-3 text-sm">
      <h3 className="font-semibold">{t('Links')}</h3>
      {reading.is === 'failed' && <Trouble title={t('Could not be loaded')} problem={reading.problem} retry={again} />}
      {open.length > 0 && (
        <ul className="divide-y divide-line">
          {open.map((one) => (
            <li key={one.id} data-row={one.id} className="flex items-center gap-3 py-1.5">
              <span className="min-w-0 grow">
                <span className="block">{linkWords(one)}</span>
                <span className="block text-faint text-xs">
                  {rich('until {moment} · {uses, plural, =0 {not used} one {used once} other {used # times}}', {
                    moment: <Moment at={one.expiresAt} />,
                    uses: one.uses,
                  })}
                </span>
              </span>
              <Revocation id={one.id} disabled={busy} revoke={() => void revoke(one.id)} />
            </li>
          ))}
        </ul>
      )}
      {made && (
        <div className="flex flex-col gap-1 rounded-lg bg-side p-2">
          <p className="text-muted text-xs">{t('Copy the address now: it is not shown again.')}</p>
          <div className="flex items-center gap-2">
            <input
              readOnly
              value={made.address}
              onFocus={({ target }) => target.select()}
              aria-label={t('The address of the link')}
              className={`${fieldLook} grow font-mono text-xs`}
            />
            <CopyButton label={t('Copy the address')} content={() => ({ text: made.address })} />
          </div>
        </div>
      )}
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      <form
        aria-label={t('Make a link')}
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <RoleChoice label={t('What those who use it may do')} role={role} change={setRole} />
        <select
          aria-label={t('How long it works')}
          value={lasts}
          onChange={({ target }) => setLasts(Number(target.value))}
          className={fieldLook}
        >
          {lasting.map((seconds) => (
            <option key={seconds} value={seconds}>
              {lastingWords(seconds)}
            </option>
          ))}
        </select>
        <label className="flex min-h-8 items-center gap-1.5 text-muted">
          <input type="checkbox" checked={once} onChange={({ target }) => setOnce(target.checked)} />
          {t('one person only')}
        </label>
        <Button type="submit" disabled={busy} className="ml-auto">
          {t('Make a link')}
        </Button>
      </form>
    </section>
  );
}

interface RevocationProps {
  id: string;
  disabled: boolean;
  revoke: () => void;
}

function Revocation({ id, disabled, revoke }: RevocationProps) {
  const receipt = useHeld(id);
  if (receipt) return <Receipt held={receipt} />;
  return (
    <Button look="quiet" disabled={disabled} onClick={revoke}>
      {t('Revoke')}
    </Button>
  );
}

function linkWords({ role, once }: ConversationLink): string {
  if (once) return role === 'member' ? t('One person may come in, to write') : t('One person may come in, to read');
  return role === 'member' ? t('Anyone who has it may come in, to write') : t('Anyone who has it may come in, to read');
}
