import { Archive, ArchiveRestore, FileDown, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import type { Client } from 'vigil-client';
import { filesIn, rootOf } from 'vigil-client/shared';
import { goTo } from '../hooks/use-place';
import { useVigil } from '../hooks/use-vigil';
import { Late, lazily } from '../ui/late';
import type { Format } from '../words/export';
import type { ConversationMenuProps } from './conversation-menu';
import type { ExportZipProps } from './export-zip';
import type { RenameProps } from './rename';

const Rename = lazily<'Rename', RenameProps>(() => import('./rename'), 'Rename');

const ExportZip = lazily<'ExportZip', ExportZipProps>(() => import('./export-zip'), 'ExportZip');

const formats: Record<Format, string> = { markdown: 'Markdown', json: 'JSON' };

/** The menu of a conversation, which opens when it is first shown. */
export function ConversationActions({ conversation, align, children }: ConversationMenuProps) {
  const { act, client, removals, store } = useVigil();
  const [renaming, setRenaming] = useState(false);
  const [zipping, setZipping] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const { id, title, pinned, archived } = conversation;
  const remove = () => {
    removals.begin(id);
    const { open } = store.getState();
    if (open && rootOf(client.conversations.getSnapshot().byId.get(open) ?? { id: open }) === rootOf(conversation))
      goTo(undefined);
  };
  return (
    <>
      <DropdownMenu.Root modal={false} defaultOpen>
        <DropdownMenu.Trigger asChild ref={trigger}>
          {children}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align={align}
            sideOffset={4}
            collisionPadding={8}
            className="z-40 min-w-48 animate-appear rounded-xl border border-line bg-raised p-1 shadow-lg"
          >
            <Item icon={<Pencil />} choose={() => setRenaming(true)}>
              Rename…
            </Item>
            <Item icon={pinned ? <PinOff /> : <Pin />} choose={() => void act.pin(id, !pinned)}>
              {pinned ? 'Unpin' : 'Pin'}
            </Item>
            <Item icon={archived ? <ArchiveRestore /> : <Archive />} choose={() => void act.archive(id, !archived)}>
              {archived ? 'Bring back to the list' : 'Archive'}
            </Item>
            {(Object.keys(formats) as Format[]).map((format) => (
              <Item key={format} icon={<FileDown />} choose={() => void act.export(id, format)}>
                Export as {formats[format]}
              </Item>
            ))}
            <ZipItem client={client} id={id} choose={() => setZipping(true)} />
            <DropdownMenu.Separator className="my-1 h-px bg-line" />
            <DropdownMenu.Item
              onSelect={remove}
              className="flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-bad text-sm outline-none data-[highlighted]:bg-bad-ground"
            >
              <Trash2 aria-hidden className="size-4" /> Delete
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {renaming && (
        <Late>
          <Rename id={id} title={title} close={() => setRenaming(false)} opener={trigger} />
        </Late>
      )}
      {zipping && (
        <Late>
          <ExportZip id={id} close={() => setZipping(false)} opener={trigger} />
        </Late>
      )}
    </>
  );
}

/** Only an open menu asks. What is not read may have files. */
function ZipItem({ client, id, choose }: { client: Client; id: string; choose: () => void }) {
  const { conversation } = client.conversation(id).getSnapshot();
  const hasNone =
    conversation &&
    filesIn([conversation.messages.map(({ parts }) => parts), conversation.calls.map(({ result }) => result)])
      .length === 0;
  if (hasNone) return null;
  return (
    <Item icon={<FileDown />} choose={choose}>
      Export as Markdown and files (.zip)
    </Item>
  );
}

function Item({ icon, choose, children }: { icon: ReactElement; choose: () => void; children: ReactNode }) {
  return (
    <DropdownMenu.Item
      onSelect={choose}
      className="flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-[highlighted]:bg-side"
    >
      <span aria-hidden className="text-faint [&>svg]:size-4">
        {icon}
      </span>
      {children}
    </DropdownMenu.Item>
  );
}
