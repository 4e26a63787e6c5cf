import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import type { ReactNode } from 'react';
import { addressOf } from '../hooks/use-place';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';

const actionLook = 'inline-block min-h-6 min-w-6 font-medium text-accent underline underline-offset-2';

/** Notices that belong to no place on the page, shown at its edge for some seconds. */
export function Notices() {
  const { store, removals } = useVigil();
  const removing = useVigilState((state) => state.removing);
  const notices = useVigilState((state) => state.notices);
  const close = (id: number) => store.setState((state) => ({ notices: state.notices.filter((one) => one.id !== id) }));
  return (
    <Toast.Provider duration={8_000} label={t('Notice')}>
      {notices.map(({ id, text, conversationId }) => (
        <Notice key={id} text={text} close={t('Close')} closed={() => close(id)}>
          {conversationId && (
            <Toast.Action asChild altText={t('Open the conversation in the list')}>
              <a href={addressOf(conversationId)} className={actionLook}>
                {t('Open')}
              </a>
            </Toast.Action>
          )}
        </Notice>
      ))}
      {[...removing].map(([id, title]) => (
        <Notice
          key={`removing ${id}`}
          text={
            title
              ? t('Deleting “{title}”. Its run and its timers stop with it.', { title })
              : t('Deleting the conversation. Its run and its timers stop with it.')
          }
          close={t('Delete it now')}
          closed={() => void removals.finish(id)}
        >
          <Toast.Action asChild altText={t('Open the list, where the notice about it has the same button')}>
            <button type="button" onClick={() => removals.undo(id)} className={actionLook}>
              {t('Undo')}
            </button>
          </Toast.Action>
        </Notice>
      ))}
      {/* On a phone, the lower edge has the message field and the tabs. */}
      <Toast.Viewport className="fixed right-4 bottom-24 z-50 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none max-sm:top-16 max-sm:bottom-auto" />
    </Toast.Provider>
  );
}

interface NoticeProps {
  text: string;
  /** The label of the button that closes it. */
  close: string;
  closed: () => void;
  /** The possible actions. */
  children: ReactNode;
}

function Notice({ text, close, closed, children }: NoticeProps) {
  return (
    <Toast.Root
      onOpenChange={(open) => !open && closed()}
      className="flex animate-appear items-start gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-lg"
    >
      <Toast.Description className="min-w-0 grow break-words">{text}</Toast.Description>
      {children}
      <Toast.Close aria-label={close} className="grid size-6 shrink-0 place-items-center text-faint hover:text-ink">
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}
