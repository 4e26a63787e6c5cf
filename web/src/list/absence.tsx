import { type FormEvent, useId, useState } from 'react';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { Receipt, useHeld } from '../ui/receipt';
import { personName } from '../words/person';
import { wordsOf } from '../words/problem-words';

const field = 'h-8 w-full rounded-lg border border-line bg-raised px-2.5 outline-none focus:border-accent';

const absenceRow = 'absence';

/** Who decides in the user's place for some days. Those who decide about nobody's calls but their own have no use for it. */
export function AbsencePart() {
  const { act, held, me } = useVigil();
  const receipt = useHeld(absenceRow);
  const { value, setValue, reading } = useRead(act.absence);
  const [to, setTo] = useState('');
  const [until, setUntil] = useState('');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const { absence, standsInFor = [] } = value ?? {};
  // The form comes in the place of the button, under the pointer.
  const end = async () => {
    if (await held.atOnce(absenceRow, t('Ended'), act.endAbsence)) setValue({ standsInFor });
  };
  const name = (event: FormEvent) => {
    event.preventDefault();
    // To the end of that day.
    act.beAbsent(to.trim(), new Date(`${until}T23:59`).toISOString()).then(
      (named) => {
        setValue(named);
        setProblem(undefined);
      },
      (error: unknown) => setProblem(wordsOf(error)),
    );
  };
  if (reading.is !== 'ready') return null;
  return (
    <section aria-labelledby={id} className="mt-3 border-line border-t py-4 text-sm">
      <h3 id={id} className="font-medium">
        {t('While you are away')}
      </h3>
      {standsInFor.map(({ user, until: end }) => (
        <p key={user} className="mt-1 text-muted">
          {rich('You decide in the place of {user} until {moment}.', {
            user: personName(user),
            moment: <Moment at={end} />,
          })}
        </p>
      ))}
      {receipt ? (
        <Receipt held={receipt} />
      ) : absence ? (
        <p data-row="" className="mt-1 flex flex-wrap items-center gap-2">
          <span>
            {rich('{user} decides in your place until {moment}.', {
              user: personName(absence.to),
              moment: <Moment at={absence.until} />,
            })}
          </span>
          <Button onClick={() => void end()}>{t('End')}</Button>
        </p>
      ) : (
        <form onSubmit={name} data-row="" className="mt-2 flex flex-wrap items-end gap-2">
          <label className="min-w-36 grow text-muted text-xs">
            {t('Who decides what you decide for a group')}
            <input value={to} onChange={({ target }) => setTo(target.value)} maxLength={128} className={field} />
          </label>
          <label className="text-muted text-xs">
            {t('Until')}
            <input type="date" value={until} onChange={({ target }) => setUntil(target.value)} className={field} />
          </label>
          <Button type="submit" disabled={!to.trim() || to.trim() === me.user || !until}>
            {t('Appoint')}
          </Button>
        </form>
      )}
      {problem && (
        <p role="alert" className="mt-2 text-bad">
          {problem}
        </p>
      )}
    </section>
  );
}
