import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { type CallState, mainArgument } from '../state/call-state';
import type { CallCard } from '../state/transcript';
import { addressOf } from '../state/use-place';
import { useNow } from '../state/use-vigil';
import { moment } from '../state/words';
import { Approval } from './approval';
import { CallDetails } from './call-details';
import { looksOf } from './call-looks';
import { Question } from './question';

export interface CallCardProps {
  id: string;
  card: CallCard;
}

/** One tool call: its name, the argument that matters, and how it stands; ▸ opens what went in and what came out. */
export function CallCardView({ id, card }: CallCardProps) {
  const { call, callback, state } = card;
  const now = useNow();
  const { Icon, tone, words, moving } = looksOf(state, now);
  const child = callback?.kind === 'agent' ? callback.conversationId : undefined;
  const asks = state.is === 'approval' || state.is === 'question';
  return (
    <Collapsible.Root
      data-call={call.tool}
      data-state-of-call={state.is}
      className={clsx('rounded-xl border text-sm', asks ? 'border-wait-line bg-wait-ground' : 'border-line bg-raised')}
    >
      <div className="flex items-center">
        <Collapsible.Trigger className="group flex min-w-0 grow items-center gap-2.5 rounded-xl px-3 py-2 text-left">
          <Icon aria-hidden className={clsx('size-4 shrink-0', tone, moving && 'animate-breathe')} />
          <span className="shrink-0 font-medium">{call.tool}</span>
          {/* Who is asked reads it below. */}
          {!asks && <Argument input={call.arguments} now={now} />}
          <span className={clsx('ml-auto shrink-0 text-xs', tone)}>{words}</span>
          <ChevronRight
            aria-hidden
            className="size-3.5 shrink-0 text-faint transition-transform group-data-[state=open]:rotate-90"
          />
        </Collapsible.Trigger>
        {child && (
          <a href={addressOf(child)} className="shrink-0 py-2 pr-3 text-accent text-xs underline underline-offset-2">
            its conversation
          </a>
        )}
      </div>
      <Asked id={id} state={state} />
      <Collapsible.Content>
        <CallDetails card={card} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function Argument({ input, now }: { input: unknown; now: number }) {
  const main = mainArgument(input);
  if (!main) return null;
  const { value } = main;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
  return <span className="min-w-0 truncate text-muted">{isTime ? moment(text, now) : text}</span>;
}

/** What a person has to answer stands in its call's card. */
function Asked({ id, state }: { id: string; state: CallState }) {
  if (state.is === 'approval') return <Approval key={state.callback.id} id={id} callback={state.callback} />;
  if (state.is === 'question') return <Question key={state.callback.id} id={id} callback={state.callback} />;
  return null;
}
