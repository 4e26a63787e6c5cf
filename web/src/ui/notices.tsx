import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import type { ReactNode } from 'react';
import { addressOf } from '../hooks/use-place';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { ReceiptState } from './receipt';

const look =
  'flex animate-appear flex-wrap items-start gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-lg';
const actionLook = 'inline-block min-h-6 min-w-6 font-medium text-accent underline underline-offset-2';

/** Notices that belong to no place on the page, shown at its edge for some seconds. */
export function Notices() {
  const { store, held: holding } = useVigil();
  const held = useVigilState((state) => state.held);
  const receipts = useVigilState((state) => state.receipts);
  const unseen = [...held.values()].filter(({ key, wish, status }) => wish && status !== 'done' && !receipts.get(key));
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
      {/* What was pressed, where its own place is not on the screen. */}
      {unseen.map((one) => (
        <Toast.Root
          key={one.key}
          data-row=""
          duration={Number.POSITIVE_INFINITY}
          onPause={() => holding.pause(one.key)}
          onResume={() => holding.resume(one.key)}
          // Escape, or swiped away.
          onOpenChange={() => (one.status === 'refused' ? holding.undo(one.key) : void holding.finish(one.key))}
          className={look}
        >
          <Toast.Description className="min-w-0 grow break-words">
            {one.about === undefined ? one.words : `${one.words}: ${one.about}`}
          </Toast.Description>
          <ReceiptState held={one} />
        </Toast.Root>
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
    <Toast.Root onOpenChange={(open) => !open && closed()} data-row="" className={look}>
      <Toast.Description className="min-w-0 grow break-words">{text}</Toast.Description>
      {children}
      <Toast.Close aria-label={close} className="grid size-6 shrink-0 place-items-center text-faint hover:text-ink">
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}
