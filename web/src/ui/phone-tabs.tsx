import { clsx } from 'clsx';
import { Activity, House, List, MessageSquare } from 'lucide-react';
import { useWaiting } from '../hooks/use-own';
import { homeAddress } from '../hooks/use-place';
import { t } from '../languages/catalogue';

export type Part = 'list' | 'chat' | 'run';

export interface PhoneTabsProps {
  part: Part;
  choose: (part: Part) => void;
  /** False for a new conversation, which has no run. */
  withRun: boolean;
  /** Whether the home is open, instead of a conversation. */
  home: boolean;
}

/** The tabs at the bottom on a phone, where only one part of the page fits. */
export function PhoneTabs({ part, choose, withRun, home }: PhoneTabsProps) {
  const waiting = useWaiting().waiting.length;
  const current = part === 'chat' && home ? 'home' : part;
  const tabs = [
    ['home', t('Home'), House],
    ['list', t('List'), List],
    ...(home ? [] : [['chat', t('Chat'), MessageSquare] as const]),
    ...(withRun ? [['run', t('Run'), Activity] as const] : []),
  ] as const;
  const open = (tab: Part | 'home') => {
    if (tab !== 'home') return choose(tab);
    location.hash = homeAddress;
    choose('chat');
  };
  return (
    <nav
      aria-label={t('Parts of the page')}
      className="flex border-t border-line bg-side pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {tabs.map(([name, label, Icon]) => (
        <button
          key={name}
          type="button"
          aria-current={current === name ? 'true' : undefined}
          onClick={() => open(name)}
          className={clsx(
            'flex grow basis-0 flex-col items-center gap-0.5 py-2 text-xs',
            current === name ? 'font-semibold text-accent' : 'text-muted',
          )}
        >
          <span className="relative">
            <Icon aria-hidden className="size-5" />
            {name === 'home' && waiting > 0 && (
              <span className="-top-1 -right-2.5 absolute rounded-full bg-wait px-1 text-[0.625rem] font-semibold leading-4 text-page">
                {waiting}
                <span className="sr-only"> {t('wait for you')}</span>
              </span>
            )}
          </span>
          {label}
        </button>
      ))}
    </nav>
  );
}
