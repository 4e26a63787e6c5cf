import { Mail } from 'lucide-react';
import { useState } from 'react';
import type { Invitation } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { personName } from '../words/person';
import { wordsOf } from '../words/problem-words';

export interface InvitationsProps {
  invitations: readonly Invitation[];
}

const keyOf = ({ conversationId, at }: Invitation): string => `invitation ${conversationId} ${at}`;

/** The invitations to other users' conversations. One that is answered stays where it is, with its answer, so nothing moves under a pointer. */
export function Invitations({ invitations }: InvitationsProps) {
  const [seen, setSeen] = useState(invitations);
  const open = new Set(invitations.map(keyOf));
  const known = new Set(seen.map(keyOf));
  const more = invitations.filter((one) => !known.has(keyOf(one)));
  if (more.length > 0) setSeen([...seen, ...more]);
  return (
    <section aria-labelledby="invitations" className="mb-6">
      <h2 id="invitations" className="font-semibold text-sm">
        {t('Invitations')}
      </h2>
      <ul className="mt-2 divide-y divide-line rounded-xl border border-line">
        {seen.map((one) => (
          <InvitationRow key={keyOf(one)} invitation={one} isThere={open.has(keyOf(one))} />
        ))}
      </ul>
    </section>
  );
}

function InvitationRow({ invitation, isThere }: { invitation: Invitation; isThere: boolean }) {
  const { conversationId, by, role, at } = invitation;
  const { client, me } = useVigil();
  const [state, setState] = useState<'open' | 'busy' | 'accepted' | 'declined' | 'ignored'>('open');
  const [problem, setProblem] = useState<string>();
  const user = personName(by);
  const decline = () => client.api.removeMember(conversationId, `user:${me.user}`);
  const answer = async (as: 'accepted' | 'declined' | 'ignored', work: () => Promise<unknown>) => {
    setState('busy');
    try {
      await work();
      setProblem(undefined);
      setState(as);
      void client.conversations.read();
    } catch (error) {
      setProblem(wordsOf(error));
      setState('open');
    }
  };
  const accept = () => client.api.acceptInvitation(conversationId);
  const ignore = async () => {
    await client.api.setIgnored({ name: `user:${by}`, ignored: true });
    await decline();
  };
  const isOpen = state === 'busy' || (state === 'open' && isThere);
  return (
    <li data-row={keyOf(invitation)} className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3 text-sm">
      <Mail aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-40 grow basis-0">
        <span className="block [overflow-wrap:anywhere]">
          {role === 'member'
            ? t('{user} invites you to read and write in a conversation', { user })
            : t('{user} invites you to read a conversation', { user })}
        </span>
        <span className="block text-faint text-xs">{rich('since {moment}', { moment: <Moment at={at} /> })}</span>
        {problem && (
          <span role="alert" className="block text-bad text-xs">
            {problem}
          </span>
        )}
      </span>
      <span role="status" className="text-muted text-xs">
        {state === 'open' && !isThere && t('It is not open any more.')}
        {state === 'declined' && t('Declined')}
        {state === 'ignored' && t('Declined. More invitations of {user} are not shown.', { user })}
        {state === 'accepted' && (
          <a href={`#/c/${conversationId}`} className="font-medium text-accent underline underline-offset-2">
            {t('Accepted. Open the conversation')}
          </a>
        )}
      </span>
      {isOpen && (
        <span className="flex flex-wrap gap-2">
          <Button
            look="quiet"
            disabled={state === 'busy'}
            aria-label={t('Ignore {user}', { user })}
            onClick={() => void answer('ignored', ignore)}
          >
            {t('Ignore')}
          </Button>
          <Button
            look="quiet"
            disabled={state === 'busy'}
            aria-label={t('Decline the invitation of {user}', { user })}
            onClick={() => void answer('declined', decline)}
          >
            {t('Decline')}
          </Button>
          <Button
            look="strong"
            disabled={state === 'busy'}
            aria-label={t('Accept the invitation of {user}', { user })}
            onClick={() => void answer('accepted', accept)}
          >
            {t('Accept')}
          </Button>
        </span>
      )}
    </li>
  );
}
