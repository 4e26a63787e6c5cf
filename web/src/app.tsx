import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { pageDialog } from './actions/page-dialog';
import { usePageKeys } from './actions/use-page-keys';
import { Loading } from './chat/loading';
import { Welcome } from './chat/welcome';
import { useOwn, useWaiting } from './hooks/use-own';
import { placeKey, useAgentPlace, useLeadsNowhere, usePlace, useReplayPlace, useShowsHome } from './hooks/use-place';
import { useSummary, useVigilState } from './hooks/use-vigil';
import { attentionCount } from './kept/unread';
import { t } from './languages/catalogue';
import { ConversationList } from './list/conversation-list';
import { FinderField } from './list/finder-field';
import { Button } from './ui/button';
import { ConnectionBar } from './ui/connection-bar';
import { Late, lazily } from './ui/late';
import type { NowhereProps } from './ui/nowhere';
import { type Part, PhoneTabs } from './ui/phone-tabs';
import { Receipts } from './ui/receipt';
import { usePhone } from './ui/use-phone';

const chat = () => import('./chat/chat');
const Chat = lazily(chat, 'Chat');
const RunPanel = lazily(() => import('./panel/run-panel'), 'RunPanel');
const Replay = lazily(() => import('./replay/replay'), 'Replay');
const StepPanel = lazily(() => import('./replay/step-panel'), 'StepPanel');
const AgentPage = lazily(() => import('./agents/agent-page'), 'AgentPage');
const notices = () => import('./ui/notices');
const Notices = lazily(notices, 'Notices');
const Nowhere = lazily<'Nowhere', NowhereProps>(() => import('./ui/nowhere'), 'Nowhere');
const Finder = lazily(() => import('./list/finder'), 'Finder');
const PageDialogs = lazily(() => import('./actions/page-dialogs'), 'PageDialogs');

/** Loads the part that shows conversations before one is opened. */
export const loadChat = (): void => void chat().catch(() => undefined);
/** Loads what says that something is not sent, before there is no connection. */
export const loadNotices = (): void => void notices().catch(() => undefined);

const folded = 'vigil.panel-folded';
/** With less room, the run panel covers the conversation, so it opens on request only. */
const wide = matchMedia('(width >= 70rem)');
const beginsWithPanel = () => wide.matches && localStorage.getItem(folded) !== 'yes';

/** One screen: list, conversation or home, run. On a phone they are three tabs. */
export function App() {
  const open = usePlace();
  const home = useShowsHome();
  const replay = useReplayPlace();
  const agent = useAgentPlace();
  const isNowhere = useLeadsNowhere();
  const [part, setPart] = useState<Part>('chat');
  const [panel, setPanel] = useState(beginsWithPanel);
  const [finding, setFinding] = useState(false);
  const [sought, setSought] = useState('');
  const [entered, setEntered] = useState(false);
  const connection = useVigilState((state) => state.connection);
  const hasNotices = useHadNotices();
  const phone = usePhone();
  const dialog = useStore(pageDialog).open;
  // On a phone, a replay is opened in another part than it is shown in.
  const replayed = replay?.runId;
  useEffect(() => {
    if (replayed) setPart('chat');
  }, [replayed]);
  const stopFinding = () => {
    setFinding(false);
    setSought('');
    setEntered(false);
  };
  useTitle();
  const find = useCallback(() => setFinding(true), []);
  // The same function each time, or all entries of the list would be rendered again.
  const toChat = useCallback(() => setPart('chat'), []);
  usePageKeys({ find, chosen: toChat });
  useEffect(() => {
    const onChange = () => setPanel(beginsWithPanel());
    wide.addEventListener('change', onChange);
    return () => wide.removeEventListener('change', onChange);
  }, []);

  const togglePanel = () => {
    localStorage.setItem(folded, panel ? 'yes' : 'no');
    setPanel(!panel);
  };
  // A new conversation has no run, so it has no such part.
  const shownPart = part === 'run' && !open ? 'chat' : part;
  const shown = (one: Part) => (shownPart === one ? 'flex' : 'hidden sm:flex');
  const showsRun = phone ? shownPart === 'run' : panel;
  // The part that a phone shows is all that is there.
  const Beside = phone ? 'main' : 'aside';

  return (
    <div data-connection={connection} className="flex h-dvh flex-col">
      <ConnectionBar />
      <div className="relative flex min-h-0 grow">
        <Beside
          className={clsx(
            shown('list'),
            'w-full flex-col border-line bg-side sm:w-[16rem] sm:shrink-0 sm:border-r lg:w-[18rem]',
          )}
        >
          {phone && <h1 className="sr-only">{t('Conversations')}</h1>}
          <ConversationList open={open} chosen={toChat} find={find} />
        </Beside>
        <main className={clsx(shown('chat'), 'relative min-w-0 grow flex-col')}>
          {open && (
            <Late key={placeKey()} meanwhile={<Loading />}>
              {replay ? (
                <Replay id={open} place={replay} panel={panel} togglePanel={togglePanel} />
              ) : (
                <Chat id={open} panel={panel} togglePanel={togglePanel} find={find} />
              )}
            </Late>
          )}
          {!open && agent && (
            <Late key={agent} meanwhile={<Loading />}>
              <AgentPage name={agent} />
            </Late>
          )}
          {isNowhere && (
            <Late>
              <Nowhere
                title={t('There is nothing at this address')}
                problem={t('It may be misspelt, or of another version of this page.')}
                find={find}
              />
            </Late>
          )}
          {!open && !agent && !isNowhere && <Welcome home={home} begun={toChat} />}
        </main>
        {/* A hidden panel is not rendered, so it does not update with every step. */}
        {open && showsRun && (
          <Beside
            aria-label={t('Run')}
            className={clsx(
              'flex w-full flex-col border-line bg-side sm:w-[20rem] sm:shrink-0 sm:border-l',
              // On narrow screens the panel covers the conversation.
              'sm:max-lg:absolute sm:max-lg:inset-y-0 sm:max-lg:right-0 sm:max-lg:z-20 sm:max-lg:shadow-2xl',
            )}
          >
            <Button
              look="quiet"
              icon
              onClick={togglePanel}
              aria-label={t('Close the run panel')}
              className="absolute top-2 right-2 z-10 max-sm:hidden lg:hidden"
            >
              <X aria-hidden className="size-4" />
            </Button>
            {phone && <h1 className="sr-only">{t('Run')}</h1>}
            <Late>{replay ? <StepPanel id={open} place={replay} /> : <RunPanel id={open} />}</Late>
          </Beside>
        )}
      </div>
      <PhoneTabs part={shownPart} choose={setPart} withRun={open !== undefined} home={home} />
      {finding && (
        <Late
          meanwhile={
            <FinderField
              words={sought}
              change={setSought}
              enter={() => setEntered(sought.trim() !== '')}
              close={stopFinding}
            />
          }
        >
          <Finder
            place={{ id: open, isPast: replay !== undefined, panel, togglePanel }}
            words={sought}
            entered={entered}
            close={stopFinding}
            chosen={toChat}
          />
        </Late>
      )}
      {dialog && (
        <Late>
          <PageDialogs dialog={dialog} />
        </Late>
      )}
      <Receipts />
      {hasNotices && (
        <Late>
          <Notices />
        </Late>
      )}
    </div>
  );
}

/** Whether there has been a notice. */
function useHadNotices(): boolean {
  const has = useVigilState(({ notices, held }) => notices.length > 0 || held.size > 0);
  const [had, setHad] = useState(has);
  if (has && !had) setHad(true);
  return had;
}

/** Shows the number of conversations that wait for the user or have news in the tab's title, and on the installed app. */
function useTitle(): void {
  const { list } = useOwn();
  const waits = useWaiting();
  const seen = useVigilState((state) => state.seen);
  const count = useMemo(() => attentionCount(list, seen, waits), [list, seen, waits]);
  const title = useSummary(useVigilState(({ open }) => open))?.title;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title ? `${title} · ` : ''}Vigil`;
  }, [count, title]);
  useEffect(() => {
    // Only some systems have badges.
    void navigator.setAppBadge?.(count).catch(() => undefined);
  }, [count]);
}
