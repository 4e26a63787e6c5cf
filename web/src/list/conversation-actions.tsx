import { Archive, ArchiveRestore, FileDown, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Client } from 'vigil-client';
import { filesIn, rootOf } from 'vigil-client/shared';
import { goTo } from '../hooks/use-place';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Late, lazily } from '../ui/late';
import { Menu, MenuItem, MenuLine } from '../ui/menu';
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
      <Menu button={children} trigger={trigger} align={align}>
        <MenuItem icon={<Pencil />} choose={() => setRenaming(true)}>
          {t('Rename…')}
        </MenuItem>
        <MenuItem icon={pinned ? <PinOff /> : <Pin />} choose={() => void act.pin(id, !pinned)}>
          {pinned ? t('Unpin') : t('Pin')}
        </MenuItem>
        <MenuItem icon={archived ? <ArchiveRestore /> : <Archive />} choose={() => void act.archive(id, !archived)}>
          {/* One message for both, because “Archive” alone is the name of the place. */}
          {t('{archived, select, true {Bring back to the list} other {Archive}}', { archived: archived === true })}
        </MenuItem>
        {(Object.keys(formats) as Format[]).map((format) => (
          <MenuItem key={format} icon={<FileDown />} choose={() => void act.export(id, format)}>
            {t('Export as {format}', { format: formats[format] })}
          </MenuItem>
        ))}
        <ZipItem client={client} id={id} choose={() => setZipping(true)} />
        <MenuLine />
        <MenuItem icon={<Trash2 />} choose={remove} danger>
          {t('Delete')}
        </MenuItem>
      </Menu>
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
    <MenuItem icon={<FileDown />} choose={choose}>
      {t('Export as Markdown and files (.zip)')}
    </MenuItem>
  );
}
