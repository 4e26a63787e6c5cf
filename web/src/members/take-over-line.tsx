import { clsx } from 'clsx';
import { Headset, Hourglass } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { Callback } from 'vigil-client';
import { showDialog } from '../actions/page-dialog';
import { AssignButton } from '../calls/assignment';
import { usePast } from '../hooks/past';
import { type Shown, useNow, useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { deciderWords } from '../rows/deciders';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { ReleaseButton } from './take-over';
import { usePeople } from './use-people';

export interface TakeOverLineProps {
  conversation: Shown;
  /** The hand-off that the run waits for. Undefined while the reader is about to join. */
  callback: Callback | undefined;
}

/** Above the message field: who is asked to take the conversation over, or has, and who reads what is written. */
export function TakeOverLine({ conversation: { id, takenBy }, callback }: TakeOverLineProps) {
  const { me } = useVigil();
  const now = useNow();
  const people = usePeople();
  const assigning = useRef<HTMLButtonElement>(null);
  if (usePast() !== undefined || !people) return null;
  if (!callback)
    return (
      <Line is="joins" Icon={Hourglass}>
        {t('You join as soon as the agent has stopped.')}
      </Line>
    );
  if (takenBy?.user === me.user) {
    const item = { conversationId: id, callback, owner: people.owner.user };
    return (
      <Line is="mine" Icon={Headset} label={t('You have taken this conversation over')}>
        <span className="min-w-52 grow basis-0 py-1">
          <strong className="block font-semibold">{t('You have taken this conversation over')}</strong>
          <span className="text-muted">
            {t('{name} reads what you write. No agent answers until you give it back.', { name: people.owner.name })}
          </span>
        </span>
        <span className="ml-auto flex flex-wrap gap-1.5 pointer-coarse:[&_button]:min-h-11">
          <ReleaseButton item={item} />
          <AssignButton ref={assigning} item={item} disabled={false} />
          <Button look="strong" onClick={() => showDialog({ is: 'give-back', id, callbackId: callback.id })}>
            {t('Give back…')}
          </Button>
        </span>
      </Line>
    );
  }
  const taker = people.all.find(({ user }) => user === takenBy?.user);
  return (
    <Line is={taker ? 'taken' : 'waits'} Icon={Headset}>
      <span className="min-w-0 py-1 [overflow-wrap:anywhere]">
        <strong className="font-semibold">
          {taker
            ? t('{name} has taken over', { name: taker.name })
            : rich('Waits for a person ({group}), since {moment}', {
                group: deciderWords(callback, now),
                moment: <Moment at={callback.createdAt!} />,
              })}
        </strong>{' '}
        <span className="text-muted">
          {taker
            ? t('People read what is written. No agent answers until it is given back.')
            : t('Who takes over reads what is written. No agent answers until then.')}
        </span>
      </span>
    </Line>
  );
}

interface LineProps {
  is: 'waits' | 'taken' | 'mine' | 'joins';
  Icon: typeof Headset;
  label?: string;
  children: ReactNode;
}

const Line = ({ is, Icon, label, children }: LineProps) => (
  <div className="mx-auto w-full max-w-[46rem] px-4 pb-2">
    <section
      data-take-over={is}
      aria-label={label ?? t('A person takes over')}
      className={clsx(
        'flex items-center gap-x-3 gap-y-1 rounded-xl border py-1.5 pr-2 pl-3.5 text-sm',
        is === 'mine' ? 'flex-wrap border-wait-line bg-wait-ground' : 'border-line bg-raised',
      )}
    >
      <Icon aria-hidden className={clsx('size-4 shrink-0', is === 'mine' ? 'text-wait' : 'text-sleep')} />
      {children}
    </section>
  </div>
);
