import { t } from '../languages/catalogue';
import { ListDialog } from '../ui/dialog';
import { actionWords, type InboxAction, shortcuts } from './shortcuts';

/** Returns what other parts of the page do with keys. */
const elsewhere = () => [
  { label: t('Ctrl K'), does: t('Find a conversation, or what was said') },
  { label: 'Enter', does: t('In the message field: send') },
  { label: t('Shift Enter'), does: t('In the message field: begin another line') },
  { label: t('Shift click'), does: t('On a checkbox: select all up to there') },
];

/** Lists the keys. */
export function ShortcutSheet({ close }: { close: () => void }) {
  const own = (Object.keys(shortcuts) as InboxAction[]).map((action) => ({
    label: shortcuts[action].label,
    does: actionWords(action),
  }));
  const rows = [...own, ...elsewhere()];
  return (
    <ListDialog
      title={t('Keys')}
      about={t('For what needs you, while no field has the focus.')}
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
