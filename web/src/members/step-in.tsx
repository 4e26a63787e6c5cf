import { type RefObject, useState } from 'react';
import { useDraft } from '../hooks/drafts';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { NoteDialog } from './note-dialog';

export interface StepInProps {
  id: string;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Asks why the reader takes a conversation over without being asked. */
export function StepIn({ id, close, opener }: StepInProps) {
  const { act } = useVigil();
  const [reason, setReason] = useDraft(`${id} step-in`, '');
  // The same for each attempt, so that one whose answer was lost is not repeated.
  const [clientMessageId] = useState(() => crypto.randomUUID());
  return (
    <NoteDialog
      title={t('Take this conversation over')}
      about={t(
        'The agent stops what it does, and what it asks is withdrawn. You talk to the owner until you give it back.',
      )}
      label={t('Your reason, for the people of the conversation and the agent')}
      text={reason}
      change={(to) => setReason(to || undefined)}
      atMost={1_000}
      action={t('Take over')}
      send={() => act.stepIn(id, reason.trim(), clientMessageId)}
      sent={() => setReason(undefined)}
      close={close}
      opener={opener}
    />
  );
}
