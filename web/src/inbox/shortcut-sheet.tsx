import { t } from '../languages/catalogue';
import { ListDialog } from '../ui/dialog';
import { type InboxAction, shortcuts } from './shortcuts';

/** What other parts of the page do with keys. */
const elsewhere = [
  { label: 'Ctrl K', does: 'Find a conversation, or what was said' },
  { label: 'Enter', does: 'In the message field: send' },
  { label: 'Shift Enter', does: 'In the message field: begin another line' },
  { label: 'Shift click', does: 'On a checkbox: select all up to there' },
];

/** Lists the keys. */
export function ShortcutSheet({ close }: { close: () => void }) {
  const rows = [...(Object.keys(shortcuts) as InboxAction[]).map((action) => shortcuts[action]), ...elsewhere];
  return (
    <ListDialog
      title={t('Keys')}
      about="For what needs you, while no field has the focus."
      close={close}
      className="w-96 max-w-[calc(100vw-2rem)]"
    >
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 overflow-y-auto px-5 py-4 text-sm">
        {rows.map(({ label, does }) => (
          <div key={does} className="contents">
            <dt>
              <kbd className="rounded-md border border-line bg-side px-1.5 py-0.5 font-sans text-xs">{label}</kbd>
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </ListDialog>
  );
}
