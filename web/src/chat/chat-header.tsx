import { Ellipsis, PanelRightClose, PanelRightOpen, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState } from 'react';
import { addressOf, goTo } from '../state/use-place';
import { type Shown, useNow, useVigil, useVigilState } from '../state/use-vigil';
import { standing } from '../state/words';
import { Button } from '../ui/button';
import { Confirm } from '../ui/confirm';
import { StatusDot } from '../ui/status-dot';

export interface ChatHeaderProps {
  id: string;
  conversation: Shown | undefined;
  panel: boolean;
  togglePanel: () => void;
}

export function ChatHeader({ id, conversation, panel, togglePanel }: ChatHeaderProps) {
  const now = useNow();
  const beginning = useVigilState(({ unsent }) => unsent.find((one) => one.conversationId === id && one.agent));
  const title = conversation?.title || beginning?.text || 'New conversation';
  const PanelIcon = panel ? PanelRightClose : PanelRightOpen;
  return (
    <header className="flex items-center gap-2 border-b border-line px-4 py-2.5">
      <div className="min-w-0 grow">
        <h1 className="truncate text-left [unicode-bidi:plaintext] font-semibold leading-snug">{title}</h1>
        <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
          {conversation && <StatusDot of={conversation} />}
          <span className="truncate">
            {conversation?.agent ?? beginning?.agent ?? '…'}
            {conversation && ` · ${standing(conversation, now)}`}
          </span>
          {conversation?.parentId && (
            <a href={addressOf(conversation.parentId)} className="shrink-0 text-accent underline underline-offset-2">
              task of another conversation
            </a>
          )}
        </p>
      </div>
      {conversation && <Menu id={id} />}
      <span className="hidden sm:block">
        <Button
          look="quiet"
          icon
          onClick={togglePanel}
          aria-label={panel ? 'Hide the run panel' : 'Show the run panel'}
          aria-expanded={panel}
        >
          <PanelIcon aria-hidden className="size-4" />
        </Button>
      </span>
    </header>
  );
}

function Menu({ id }: { id: string }) {
  const { act, store } = useVigil();
  const [deleting, setDeleting] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const remove = async () => {
    // If the user has opened another conversation meanwhile, it stays open.
    if ((await act.remove(id)) && store.getState().open === id) goTo(undefined);
  };
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <Button ref={trigger} look="quiet" icon aria-label="More about this conversation">
            <Ellipsis aria-hidden className="size-4" />
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={4}
            className="z-40 min-w-44 animate-appear rounded-xl border border-line bg-raised p-1 shadow-lg"
          >
            <DropdownMenu.Item
              onSelect={() => setDeleting(true)}
              className="flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm text-bad outline-none data-[highlighted]:bg-bad-ground"
            >
              <Trash2 aria-hidden className="size-4" /> Delete conversation…
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {deleting && (
        <Confirm
          title="Delete this conversation?"
          text="Its run is stopped and undone, its timers are cancelled, and it disappears from your list."
          action="Delete it"
          confirm={() => void remove()}
          close={() => setDeleting(false)}
          opener={trigger}
        />
      )}
    </>
  );
}
