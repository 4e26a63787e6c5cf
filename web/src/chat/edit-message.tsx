import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useDraft } from '../hooks/drafts';
import { useFork } from '../hooks/use-fork';
import { useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import type { ReadBy } from '../rows/read-by';
import { Button } from '../ui/button';
import { entryAgents } from './agent-choice';

export interface EditMessageProps {
  id: string;
  seq: number;
  text: string;
  /** Its files stay with the message. */
  hasFiles?: boolean;
  /** The step to make again. */
  from: ReadBy;
  close: () => void;
}

/**
 * Edits one of the user's messages, perhaps for another agent: forks the conversation at the step that read the
 * message.
 */
export function EditMessage({
  id,
  seq,
  text: said,
  hasFiles,
  from: { agent: asked, ...step },
  close,
}: EditMessageProps) {
  const fork = useFork(id);
  const [{ text, agent }, setDraft] = useDraft(editPlace(id, seq), { text: said, agent: asked });
  const [busy, setBusy] = useState(false);
  const others = entryAgents(useVigilState(({ agents }) => agents)).map(({ name }) => name);
  const agentId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const sendable = text.trim() !== '' && !busy;

  const leave = () => {
    setDraft(undefined);
    close();
  };
  const ask = async () => {
    if (!sendable) return;
    setBusy(true);
    const done = await fork({ ...step, text: text.trim(), ...(agent !== asked && { agent }) });
    setBusy(false);
    if (done) leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.shiftKey) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Escape would otherwise stop the run.
    event.preventDefault();
    if (event.key === 'Escape') leave();
    else void ask();
  };
  return (
    <form
      aria-label={t('Edit and ask again')}
      className="flex w-full flex-col gap-2.5 rounded-2xl rounded-br-md bg-mine p-2.5 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <textarea
        ref={field}
        value={text}
        onChange={({ target }) => setDraft({ text: target.value, agent })}
        onKeyDown={onKeyDown}
        rows={1}
        dir="auto"
        aria-label={t('Your message')}
        className="field-sizing-content max-h-64 min-h-9 w-full resize-none rounded-xl border border-line bg-raised px-3 py-2 text-base outline-none focus:border-accent"
      />
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={agentId} className="text-muted">
          {t('Ask')}
        </label>
        <select
          id={agentId}
          value={agent}
          onChange={({ target }) => setDraft({ text, agent: target.value })}
          className="h-8 min-w-0 rounded-lg border border-line bg-raised px-2 outline-none focus:border-accent"
        >
          {[...new Set([asked, ...others])].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <span className="min-w-40 grow basis-0 text-muted text-xs">
          {hasFiles ? t('as another version, with its files; this one stays') : t('as another version; this one stays')}
        </span>
        <span className="ml-auto flex gap-2">
          <Button onClick={leave}>{t('Cancel')}</Button>
          <Button look="strong" type="submit" disabled={!sendable}>
            {t('Ask again')}
          </Button>
        </span>
      </div>
    </form>
  );
}

/** Returns the key of the edit's draft. */
export const editPlace = (id: string, seq: number): string => `${id} edit ${seq}`;
