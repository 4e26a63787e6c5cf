import {
  AlarmClock,
  CircleHelp,
  CodeXml,
  House,
  Keyboard,
  ListTodo,
  Monitor,
  Moon,
  PanelRight,
  ShieldCheck,
  ShieldX,
  Square,
  SquarePen,
  Sun,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import type { Callback } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import { approvalPlace, beginDraft } from '../calls/approval-draft';
import { type PanelPlace, useInspectToggle } from '../hooks/use-inspect';
import { useWaiting } from '../hooks/use-own';
import { goTo, newAddress } from '../hooks/use-place';
import { useConversation, useNow, useSummary, useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { useNextWakeUp } from '../panel/next-wake-up';
import { filterAddress } from '../rows/home-filter';
import { isActive } from '../rows/list';
import { type Chosen, choose, useChosen } from '../settings/choices';
import { toldOf, tomorrowAt } from '../state/clock';
import type { Vigil } from '../state/vigil';
import { usePhone } from '../ui/use-phone';
import { moment } from '../words/words';
import type { Choice } from './choice';
import { conversationChoices } from './conversation-choices';
import { showDialog } from './page-dialog';
import { pageKeys } from './page-keys';
import { stopRun } from './stop-run';
import { signOutChoice, userChoices } from './user-choices';

/** Where the palette is opened: the conversation that is shown, and the panel beside it. */
export interface PalettePlace extends PanelPlace {
  id: string | undefined;
  /** It is shown as it was: nothing of it is decided there. */
  isPast: boolean;
}

/** Returns what can be done here and now. What concerns the open conversation comes first. */
export function usePaletteActions(place: PalettePlace): Choice[] {
  const vigil = useVigil();
  return [...useConversationActions(place), ...usePageActions(), ...useThemes(), ...signOutChoice(vigil)];
}

function useConversationActions({ id, isPast, ...place }: PalettePlace): Choice[] {
  const vigil = useVigil();
  const { conversation } = useConversation(id);
  const listed = useSummary(id);
  const inspect = useInspectToggle(place);
  const phone = usePhone();
  if (id === undefined) return [];
  const { run, callbacks = [] } = conversation ?? {};
  const known = listed ?? conversation;
  const stop: Choice = {
    id: 'stop',
    words: t('Stop'),
    icon: <Square />,
    also: t('cancel end run'),
    ...(run?.status === 'running' && { keys: 'Esc' }),
    choose: () => stopRun(vigil.act, id, run),
  };
  const panel: Choice = {
    id: 'panel',
    icon: <PanelRight />,
    also: t('run timeline'),
    words: place.panel ? t('Hide the run panel') : t('Show the run panel'),
    choose: place.togglePanel,
  };
  const inspects: Choice = {
    id: 'inspect',
    icon: <CodeXml />,
    also: t('Inspect developer'),
    keys: pageKeys.inspect.label(),
    words: inspect.inspects ? t('Show the page as users see it') : t('Inspect how the agent works'),
    choose: inspect.toggle,
  };
  return [
    ...(isPast ? [] : callbacks.flatMap((one) => answers(vigil, id, one))),
    ...(isActive(run) && known?.role !== 'watcher' ? [stop] : []),
    ...(known ? conversationChoices(vigil, known) : []),
    ...(phone ? [] : [panel]),
    ...(inspect.may && !isPast ? [inspects] : []),
  ];
}

/** The form in which the page asks the user. Others decide about a callback that has none. */
const formOf = ({ id }: Callback): HTMLFormElement | null =>
  document.querySelector(`main [data-callback="${CSS.escape(id)}"] form`);

/** What leads to the form of an approval or a question. Nothing is decided by it: the user sees what they approve. */
function answers({ store }: Vigil, conversationId: string, callback: Callback): Choice[] {
  const { id, kind, status, prompt, asker } = callback;
  if (status !== 'pending' || !formOf(callback)) return [];
  const focus = (what: string) => {
    const form = formOf(callback);
    form?.scrollIntoView({ block: 'nearest' });
    form?.querySelector<HTMLElement>(what)?.focus();
  };
  const field = ':is(input, textarea, select):not([disabled])';
  if (asksFor(kind, 'answer') || asker) {
    const choice = { id: `answer ${id}`, icon: <CircleHelp />, also: t('question reply') };
    return [{ ...choice, words: t('Answer: {prompt}', { prompt }), choose: () => focus(field) }];
  }
  const deny = () => {
    flushSync(() => beginDraft(store, approvalPlace(conversationId, callback), 'deny'));
    focus(field);
  };
  return [
    {
      id: `approve ${id}`,
      words: t('Approve: {prompt}', { prompt }),
      icon: <ShieldCheck />,
      also: t('allow decide yes'),
      choose: () => focus('[type=submit]'),
    },
    {
      id: `deny ${id}`,
      words: t('Deny: {prompt}', { prompt }),
      icon: <ShieldX />,
      also: t('reject decline decide no'),
      choose: deny,
    },
  ];
}

function usePageActions(): Choice[] {
  const { waiting } = useWaiting();
  const clock = useClockActions();
  const go = (address: string) => () => {
    location.hash = address;
  };
  return [
    {
      id: 'begin',
      words: t('New conversation'),
      icon: <SquarePen />,
      also: t('begin start ask agent'),
      keys: pageKeys.begin.label(),
      choose: go(newAddress),
    },
    {
      id: 'home',
      words: t('Go to the home'),
      icon: <House />,
      also: t('overview'),
      choose: () => goTo(undefined),
    },
    ...(waiting.length === 0
      ? []
      : [
          {
            id: 'waiting',
            words: t('Go to what waits for you'),
            icon: <ListTodo />,
            also: t('approvals inbox'),
            choose: go(filterAddress({ show: 'needsYou' })),
          },
        ]),
    ...clock,
    ...userChoices(),
    {
      id: 'keys',
      words: t('Keyboard shortcuts'),
      icon: <Keyboard />,
      also: t('help hotkeys'),
      keys: pageKeys.keys.label(),
      choose: () => showDialog({ is: 'keys' }),
    },
  ];
}

/** On a laptop, the clock can be moved. */
function useClockActions(): Choice[] {
  const { clock, store } = useVigil();
  const now = useNow();
  const open = useVigilState((state) => state.open);
  const next = useNextWakeUp(useConversation(open).conversation);
  const isMoving = useVigilState((state) => state.movingTo) !== undefined;
  if (!clock) return [];
  const choice = (id: string, words: string, move: () => Promise<void>): Choice => ({
    id,
    words,
    icon: <AlarmClock />,
    also: t('time wait wake up'),
    choose: () => void toldOf(store, move()),
  });
  if (isMoving) return [choice('stopClock', t('Stop the clock'), clock.stop)];
  return [
    ...(next
      ? [
          choice('toNext', t('Move the clock to the next wake-up, {moment}', { moment: moment(next, now) }), () =>
            clock.move({ to: next }),
          ),
        ]
      : []),
    choice('hour', t('Move the clock by an hour'), () => clock.move({ advance: 'PT1H' })),
    choice('tomorrow', t('Move the clock to tomorrow, 8:00'), () => clock.move({ to: tomorrowAt(8, now) })),
  ];
}

function useThemes(): Choice[] {
  const now = useChosen('theme');
  const choices: [Chosen<'theme'>, string, ReactElement][] = [
    ['light', t('Theme: light'), <Sun key="light" />],
    ['dark', t('Theme: dark'), <Moon key="dark" />],
    ['system', t('Theme: as the system'), <Monitor key="system" />],
  ];
  return choices.flatMap(([to, words, icon]) =>
    to === now ? [] : [{ id: to, words, icon, also: t('appearance mode colours'), choose: () => choose('theme', to) }],
  );
}
