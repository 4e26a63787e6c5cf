import { t } from '../languages/catalogue';
import { Dialog } from '../ui/dialog';

export interface FinderFieldProps {
  words: string;
  change: (words: string) => void;
  /** Enter: the first that is found is to be opened. */
  enter: () => void;
  close: () => void;
}

export const finderLook = 'mt-[12vh] w-[38rem] max-w-[calc(100vw-2rem)]';
export const finderFieldLook =
  'w-full border-b border-line bg-transparent px-4 py-3 outline-none placeholder:text-faint';
export const finderPrompt = (): string => t('Find a conversation or an action…');

/** Takes the words while the finder is loaded: they would go to the message field. */
export function FinderField({ words, change, enter, close }: FinderFieldProps) {
  return (
    <Dialog label={t('Find a conversation')} close={close} className={finderLook}>
      <input
        data-autofocus
        aria-label={t('Find a conversation')}
        value={words}
        onChange={({ target }) => change(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && enter()}
        placeholder={finderPrompt()}
        className={finderFieldLook}
      />
    </Dialog>
  );
}
