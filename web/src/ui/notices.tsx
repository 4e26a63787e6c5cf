import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { addressOf } from '../state/use-place';
import { useVigil, useVigilState } from '../state/use-vigil';

const look =
  'flex animate-appear items-start gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-lg';

/** Notices that belong to no place on the page, shown at its edge for some seconds. */
export function Notices() {
  const { store, removals } = useVigil();
  const removing = useVigilState((state) => state.removing);
  const notices = useVigilState((state) => state.notices);
  const close = (id: number) => store.setState((state) => ({ notices: state.notices.filter((one) => one.id !== id) }));
  return (
    <Toast.Provider duration={8_000} label="Notice">
      {notices.map(({ id, text, conversationId }) => (
        <Toast.Root key={id} onOpenChange={(open) => !open && close(id)} className={look}>
          <Toast.Description className="min-w-0 grow break-words">{text}</Toast.Description>
          {conversationId && (
            <Toast.Action asChild altText="Open the conversation in the list">
              <a
                href={addressOf(conversationId)}
                className="inline-block min-h-6 font-medium text-accent underline underline-offset-2"
              >
                Open
              </a>
            </Toast.Action>
          )}
          <Toast.Close aria-label="Close" className="grid size-6 shrink-0 place-items-center text-faint hover:text-ink">
            <X aria-hidden className="size-4" />
          </Toast.Close>
        </Toast.Root>
      ))}
      {[...removing].map(([id, title]) => (
        <Toast.Root key={`removing ${id}`} onOpenChange={(open) => !open && void removals.finish(id)} className={look}>
          <Toast.Description className="min-w-0 grow break-words">
            {title ? `Deleting “${title}”.` : 'Deleting the conversation.'} Its run and its timers stop with it.
          </Toast.Description>
          <Toast.Action asChild altText="Open the list, where the notice about it has the same button">
            <button
              type="button"
              onClick={() => removals.undo(id)}
              className="min-h-6 min-w-6 font-medium text-accent underline underline-offset-2"
            >
              Undo
            </button>
          </Toast.Action>
          <Toast.Close aria-label="Delete it now" className="min-h-6 min-w-6 text-faint hover:text-ink">
            <X aria-hidden className="mx-auto size-4" />
          </Toast.Close>
        </Toast.Root>
      ))}
      {/* On a phone, the lower edge has the message field and the tabs. */}
      <Toast.Viewport className="fixed right-4 bottom-24 z-50 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none max-sm:top-16 max-sm:bottom-auto" />
    </Toast.Provider>
  );
}
