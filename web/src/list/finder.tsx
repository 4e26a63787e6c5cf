import { Command, defaultFilter } from 'cmdk';
import { sorted } from '../state/list';
import { goTo } from '../state/use-place';
import { useNow, useVigilState } from '../state/use-vigil';
import { standing } from '../state/words';
import { Dialog } from '../ui/dialog';
import { StatusDot } from '../ui/status-dot';

/** Matches the visible words; an item's value is only its id. */
const byWords = (_value: string, search: string, words?: string[]) => defaultFilter('', search, words);

/** Ctrl+K: finds a conversation among those loaded, by title, agent and status. */
export function Finder({ close, chosen }: { close: () => void; chosen: () => void }) {
  const list = useVigilState((state) => state.list);
  const now = useNow();
  const go = (id: string | undefined) => {
    goTo(id);
    close();
    chosen();
  };
  return (
    <Dialog label="Find a conversation" close={close} className="mt-[12vh] w-[34rem] max-w-[calc(100vw-2rem)]">
      <Command label="Find a conversation" filter={byWords}>
        <Command.Input
          autoFocus
          placeholder="Find a conversation…"
          className="w-full border-b border-line bg-transparent px-4 py-3 outline-none placeholder:text-faint"
        />
        <Command.List className="max-h-80 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-sm text-faint">No conversation found.</Command.Empty>
          {sorted(list).map((one) => (
            <Command.Item
              key={one.id}
              value={one.id}
              keywords={[one.title, one.agent, standing(one, now)]}
              onSelect={() => go(one.id)}
              className="flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 data-[selected=true]:bg-side"
            >
              <StatusDot of={one} />
              <span className="min-w-0 grow truncate text-sm">{one.title || 'New conversation'}</span>
              <span className="shrink-0 text-xs text-faint">
                {one.agent} · {standing(one, now)}
              </span>
            </Command.Item>
          ))}
          <Command.Item
            value="new conversation"
            keywords={['New conversation']}
            onSelect={() => go(undefined)}
            className="cursor-pointer rounded-lg px-2.5 py-2 text-sm text-accent data-[selected=true]:bg-side"
          >
            New conversation
          </Command.Item>
        </Command.List>
      </Command>
    </Dialog>
  );
}
