import { type RefObject, useState } from 'react';
import { useDraft } from '../hooks/drafts';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { NoteDialog } from './note-dialog';

export interface GiveBackProps {
  id: string;
  callbackId: string;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Asks for the note with which the conversation goes back to its agent, or ends. */
export function GiveBack({ id, callbackId, close, opener }: GiveBackProps) {
  const { act } = useVigil();
  const [note, setNote] = useDraft(`${id} ${callbackId}`, '');
  const [ends, setEnds] = useState(false);
  return (
    <NoteDialog
      title={t('Give the conversation back')}
      about={t(
        'The agent goes on with what you write here, and the people of the conversation read it. Then you are no longer in it.',
      )}
      label={t('Note')}
      text={note}
      change={(to) => setNote(to || undefined)}
      action={ends ? t('End it') : t('Give back')}
      send={() => act.giveBack(id, callbackId, note.trim(), ends)}
      sent={() => setNote(undefined)}
      close={close}
      opener={opener}
    >
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={ends}
          onChange={({ target }) => setEnds(target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-(--fill)"
        />
        <span>
          {t('End the conversation')}
          <span className="block text-muted text-xs">
            {t('The agent says no more. The next message of its owner goes to the agent.')}
          </span>
        </span>
      </label>
    </NoteDialog>
  );
}
