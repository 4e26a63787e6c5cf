import { type ReactNode, useState } from 'react';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { dateLocale, dateStyle } from '../settings/dates';
import { Button } from '../ui/button';
import { Receipt, useHeld, useRows } from '../ui/receipt';
import { wordsOf } from '../words/problem-words';

/** All browsers that get the user's notifications, each of which can be removed: one of them may not be the user's. */
export function Devices({ ended }: { ended: () => void }) {
  const { held, notices } = useVigil();
  const [problem, setProblem] = useState('');
  const { value, again } = useRead(notices.devices);
  const end = (ending: Promise<unknown>, then?: () => void) =>
    ending.then(
      () => {
        again();
        then?.();
      },
      (error: unknown) => setProblem(t('Could not be ended: {problem}', { problem: wordsOf(error) })),
    );
  const devices = useRows(value?.devices ?? [], ({ id }) => id);
  if (devices.length === 0) return null;
  return (
    <section aria-label={t('Devices')} className="flex flex-col gap-1">
      <h3 className="font-medium">{t('Browsers that show them')}</h3>
      <ul>
        {devices.map(({ id, name = t('A browser'), addedAt, until, isConfirmed }) => (
          <li key={id} data-row={id} className="flex min-h-9 flex-wrap items-center gap-x-3">
            <span className="min-w-48 grow basis-0">
              {isConfirmed
                ? rich('{name}<quiet>, registered {from}, until {until}</quiet>', {
                    name,
                    quiet,
                    from: day(addedAt),
                    until: day(until),
                  })
                : rich('{name}<quiet>, registered {from}, not confirmed</quiet>', { name, quiet, from: day(addedAt) })}
            </span>
            <Removal
              id={id}
              name={name}
              remove={() => void end(held.atOnce(id, t('Removed'), () => notices.remove(id)))}
            />
          </li>
        ))}
      </ul>
      <p className="text-muted">
        {t('Do you not know one of them? End all, sign out and change your password. E-mail and words end, too.')}
      </p>
      <Button onClick={() => void end(notices.end(), ended)} className="self-start">
        {t('End all')}
      </Button>
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </section>
  );
}

interface RemovalProps {
  id: string;
  name: string;
  remove: () => void;
}

function Removal({ id, name, remove }: RemovalProps) {
  const receipt = useHeld(id);
  if (receipt) return <Receipt held={receipt} />;
  return (
    <Button look="quiet" onClick={remove} aria-label={t('Remove {name}', { name })}>
      {t('Remove')}
    </Button>
  );
}

const day = (instant: string): string => new Date(instant).toLocaleDateString(dateLocale(), { dateStyle: dateStyle() });

const quiet = (text: ReactNode) => <span className="text-muted">{text}</span>;
