import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { useDraft } from '../hooks/drafts';
import { Button } from '../ui/button';

export interface ComposerProps {
  /** The key of its draft: for example a conversation's id. */
  place: string;
  placeholder: string;
  /**
   * @returns whether the text was accepted. If not, it stays in the field.
   */
  send: (text: string) => boolean;
  /** Takes back the last unsent message and returns its text for editing. */
  takeBack?: () => string | undefined;
  /** Set while there is a run to stop. */
  stop?: () => void;
  stopsAtEscape?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
}

/** The API's limit. */
const atMost = 100_000;

/** Focuses the field, except on touch devices, where the keyboard would cover the page. */
export const focusField = (field: HTMLTextAreaElement | null): void => {
  if (matchMedia('(hover: hover)').matches) field?.focus();
};

/**
 * The message field. Enter sends, Shift+Enter adds a line, Escape stops the run, ↑ in an empty field takes the last
 * unsent message back.
 */
export function Composer({ place, placeholder, send, takeBack, stop, stopsAtEscape, field: given }: ComposerProps) {
  const [text, setText] = useDraft(place, '');
  const own = useRef<HTMLTextAreaElement>(null);
  const field = given ?? own;
  const tooMany = text.trim().length - atMost;
  const sendable = text.trim() !== '' && tooMany <= 0;
  useEffect(() => {
    // It may come late, when the user has opened something.
    if (!document.querySelector('[role=menu], dialog[open]')) focusField(field.current);
  }, [field]);
  useEffect(() => {
    if (!stop || !stopsAtEscape) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (!document.querySelector('dialog[open]')) stop();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [stop, stopsAtEscape]);

  const submit = () => {
    if (!sendable || !send(text.trim())) return;
    setText(undefined);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    }
    if (event.key !== 'ArrowUp' || text !== '') return;
    const back = takeBack?.();
    if (back === undefined) return;
    event.preventDefault();
    setText(back);
  };

  return (
    <form
      className="mx-auto w-full max-w-[46rem] px-4 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {tooMany > 0 && (
        <p role="alert" className="px-2.5 pb-1.5 text-bad text-sm">
          {tooMany.toLocaleString('en')} characters too long: a message has at most {atMost.toLocaleString('en')}.
        </p>
      )}
      <div className="flex items-end gap-1.5 rounded-2xl border border-line bg-raised p-1.5 shadow-sm focus-within:border-accent">
        <textarea
          ref={field}
          value={text}
          onChange={({ target }) => setText(target.value || undefined)}
          onKeyDown={onKeyDown}
          rows={1}
          dir="auto"
          aria-label="Message"
          placeholder={placeholder}
          className="field-sizing-content max-h-48 min-h-8 min-w-0 grow resize-none bg-transparent px-2.5 py-1 outline-none placeholder:text-faint"
        />
        {stop && (
          <Button
            onClick={() => {
              // The button disappears when the run has stopped.
              focusField(field.current);
              stop();
            }}
            title={stopsAtEscape ? 'Escape' : undefined}
          >
            <Square aria-hidden className="size-3 fill-current" /> Stop
          </Button>
        )}
        <Button look="strong" icon type="submit" disabled={!sendable} aria-label="Send">
          <ArrowUp aria-hidden className="size-4" />
        </Button>
      </div>
    </form>
  );
}
