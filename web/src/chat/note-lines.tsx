import { AlarmClock, ArrowRight, Bell, ChevronRight, Info } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { Message } from 'vigil-client';
import { useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { Markdown } from '../markdown/markdown';
import { mainArgument } from '../rows/call-state';
import type { CallCard } from '../rows/transcript';
import { Moment } from '../ui/moment';
import { agentName } from '../words/agents';
import { readable } from '../words/rule-words';
import { sourceWords } from '../words/sources';
import { plain } from '../words/words';
import { GuardLines } from './guard-lines';

/** Items other than messages and calls: notes, deliveries, hand-offs and summaries. */
export function Note({ message: { text, author, about, createdAt, sources, guards } }: { message: Message }) {
  const now = useNow(60_000);
  // `about`: a timer fired, or an outside system delivered.
  const Icon = about ? AlarmClock : Info;
  return (
    <div className="flex items-start gap-2 py-0.5 text-sm text-muted">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
      <div dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
        {readable(text, now)}{' '}
        <span className="whitespace-nowrap text-xs text-faint">{author !== 'vigil' && `${plain(author)} · `}</span>
        {sources && (
          <span className="text-faint text-xs">{t('words from {sources}', { sources: sourceWords(sources) })} · </span>
        )}
        <Moment at={createdAt} className="whitespace-nowrap text-xs text-faint" />
        <GuardLines guards={guards} className="mt-0.5" />
      </div>
    </div>
  );
}

/** Shows what a tool put into the conversation, for example a reminder that is due. */
export function Delivered({ message: { text, createdAt } }: { message: Message }) {
  return (
    <article
      aria-label={t('Delivered')}
      className="flex items-start gap-3 rounded-xl border border-wait-line bg-wait-ground px-4 py-3"
    >
      <Bell aria-hidden className="mt-1 size-4 shrink-0 text-wait" />
      <div className="min-w-0 grow">
        <Markdown text={text.replace(/^⏰\s*/u, '')} />
      </div>
      <Moment at={createdAt} className="mt-0.5 shrink-0 text-xs text-muted" />
    </article>
  );
}

export function HandOff({ card: { call }, to }: { card: CallCard; to: string }) {
  const reason = mainArgument(call.arguments)?.value;
  return (
    <p className="flex items-baseline gap-2 py-0.5 text-sm text-muted">
      <ArrowRight aria-hidden className="size-3.5 shrink-0 translate-y-0.5 text-faint" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {rich('Handed off to <b>{agent}</b>', {
          agent: agentName(to),
          b: (text) => <strong className="font-semibold text-ink">{text}</strong>,
        })}
        {typeof reason === 'string' && <span className="text-faint">: {reason}</span>}
      </span>
    </p>
  );
}

export function Summary({ message: { text, covers } }: { message: Message }) {
  return (
    <Collapsible.Root className="border-y border-line py-2 text-sm text-muted">
      <Collapsible.Trigger className="group flex items-center gap-1.5">
        <ChevronRight aria-hidden className="size-4 transition-transform group-data-[state=open]:rotate-90" />
        {t('From here on the model reads a summary of the first {count, plural, one {message} other {# messages}}', {
          count: covers,
        })}
      </Collapsible.Trigger>
      <Collapsible.Content className="pt-2 pl-6">
        <Markdown text={text} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
