import { type RefObject, useState } from 'react';
import type { WaitingApproval } from 'vigil-client';
import { useNow, useVigil } from '../hooks/use-vigil';
import { backAt, withSnoozed } from '../kept/snoozed';
import { t } from '../languages/catalogue';
import { nowIn } from '../state/now';
import { notify } from '../state/vigil-state';
import { Button } from '../ui/button';
import { Dialog, DialogHead } from '../ui/dialog';
import { moment } from '../words/words';
import { snoozeTimes } from './snooze-times';

export interface SnoozeProps {
  items: readonly WaitingApproval[];
  close: () => void;
  /** Gets the focus afterwards, if what had it is gone. */
  opener: RefObject<HTMLElement | null>;
  /** Called when they are put off. */
  done: () => void;
}

/** Asks until when to put something off. It is kept on this device, and nobody else is told. */
export function Snooze({ items, close, opener, done }: SnoozeProps) {
  const { store } = useVigil();
  const now = useNow();
  const [typed, setTyped] = useState('');
  const typedTime = Date.parse(typed);
  const early = (until: number) => items.filter((one) => (backAt(one, until, now) ?? 0) < until).length;
  const put = (until: number) => {
    const at = nowIn(store.getState());
    store.setState(({ snoozed }) => ({ snoozed: withSnoozed(snoozed, items, until, at) }));
    const stay = items.filter((one) => backAt(one, until, at) === undefined).length;
    if (stay > 0)
      notify(
        store,
        t('{count, plural, one {# is} other {# are}} not put off: the time to decide is nearly over.', { count: stay }),
      );
    close();
    done();
  };
  return (
    <Dialog label={t('Snooze')} close={close} opener={opener} className="w-96 max-w-[calc(100vw-1rem)] max-sm:mb-2">
      <DialogHead
        title={t('{count, plural, one {Snooze until…} other {Snooze # until…}}', { count: items.length })}
        about={t(
          '{count, plural, one {It comes back by itself} other {They come back by themselves}}, on this device, at the latest an hour before the end.',
          { count: items.length },
        )}
        close={close}
      />
      <div className="flex flex-col gap-2 p-4 pointer-coarse:[&_:is(button,input)]:min-h-11">
        {snoozeTimes(now).map(({ words, at }) => (
          <Button key={words} onClick={() => put(at)}>
            <span className="grow text-left">{words}</span>
            <span className="font-normal text-muted text-xs">
              {early(at) > 0 &&
                `${items.length > 1 ? t('{count, plural, one {# ends} other {# end}} before', { count: early(at) }) : t('ends before')} · `}
              {moment(new Date(at).toISOString(), now)}
            </span>
          </Button>
        ))}
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (typedTime > now) put(typedTime);
          }}
        >
          <input
            type="datetime-local"
            aria-label={t('Another time')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            className="h-8 min-w-0 grow rounded-lg border border-line bg-raised px-2.5 text-sm outline-none focus:border-accent"
          />
          <Button type="submit" disabled={!(typedTime > now)}>
            {t('Snooze')}
          </Button>
        </form>
      </div>
    </Dialog>
  );
}
