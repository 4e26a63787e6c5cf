import { type RefObject, useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

export interface RenameProps {
  id: string;
  title: string;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** The API's limit. */
const mostCharacters = 100;

/** Asks for a conversation's title. */
export function Rename({ id, title, close, opener }: RenameProps) {
  const { act } = useVigil();
  const [text, setText] = useState(title);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    if (text.trim() === title || (await act.rename(id, text))) close();
    setBusy(false);
  };
  return (
    <Dialog
      label={t('Rename the conversation')}
      close={close}
      opener={opener}
      className="w-96 max-w-[calc(100vw-2rem)]"
    >
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label className="flex flex-col gap-1.5 font-semibold">
          {t('Title')}
          <input
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
            onFocus={({ target }) => target.select()}
            maxLength={mostCharacters}
            className="rounded-lg border border-line bg-page px-2.5 py-1.5 font-normal text-sm outline-none focus:border-accent"
          />
        </label>
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button look="strong" type="submit" disabled={busy || text.trim() === ''}>
            {t('Rename')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
