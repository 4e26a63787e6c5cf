import { type ReactNode, useState } from 'react';
import { useHome } from 'vigil-client/react';
import { t } from '../languages/catalogue';
import { Late, lazily } from '../ui/late';
import type { HomePartsProps } from './home-parts';
import type { InvitationsProps } from './invitations';
import { useHomeRows } from './use-home-rows';

// Most users have nothing that waits when they come.
const HomeParts = lazily<'HomeParts', HomePartsProps>(() => import('./home-parts'), 'HomeParts');
const Invitations = lazily<'Invitations', InvitationsProps>(() => import('./invitations'), 'Invitations');

/**
 * Shows what waits in all conversations: for the user, for its time, for others and for a retry. Shows nothing while nothing waits.
 *
 * @param children what follows, by whether nothing waits.
 */
export function Home({ children }: { children: (isEmpty: boolean) => ReactNode }) {
  const content = useHomeRows();
  const { invitations } = useHome();
  const [wasInvited, setInvited] = useState(false);
  if (invitations.length > 0 && !wasInvited) setInvited(true);
  const { filter, isEmpty, problem } = content;
  const isShown = !isEmpty || problem !== undefined || Object.keys(filter).length > 0;
  return (
    <>
      {wasInvited && (
        <Late>
          <Invitations invitations={invitations} />
        </Late>
      )}
      {isShown && (
        <section aria-label={t('Home')} className="mb-10">
          <h1 tabIndex={-1} className="font-semibold text-2xl tracking-tight outline-none">
            {t('What waits')}
          </h1>
          {problem && (
            <p role="alert" className="mt-4 text-bad text-sm">
              {t('Not all of it could be loaded: {problem}', { problem })}
            </p>
          )}
          <Late>
            <HomeParts content={content} />
          </Late>
        </section>
      )}
      {children(!isShown)}
    </>
  );
}
