import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { useDraft } from '../state/drafts';
import { Button } from '../ui/button';

export interface ComposerProps {
  /** Where its draft is: for example a conversation's id. */
  place: string;
  placeholder: string;
  /** @returns whether it was taken; what was not stays in the field. */
  send: (text: string) => boolean;
  /** The last unsent message's words, which are then here to be edited. */
  takeBack?: () => string | undefined;
  /** Given while there is something to stop. */
  stop?: () => void;
  stopsAtEscape?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
}

/** What the API takes. */
const atMost = 100_000;

/** On a phone the keyboard would cover what is to be read. */
export const focusField = (field: HTMLTextAreaElement | null): void => {
  if (matchMedia('(hover: hover)').matches) field?.focus();
};

/** Enter sends, Shift+Enter breaks the line, Escape stops, ↑ in an empty field brings the last unsent message back. */
export function Composer({ place, placeholder, send, takeBack, stop, stopsAtEscape, field: given }: ComposerProps) {
  const [text, setText] = useDraft(place, '');
  const own = useRef<HTMLTextAreaElement>(null);
  const field = given ?? own;
  const tooMany = text.trim().length - atMost;
  const sendable = text.trim() !== '' && tooMany <= 0;
  useEffect(() => focusField(field.current), [field]);
  useEffect(() => {
    if (!stop || !stopsAtEscape) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      // While a word is being composed, Escape drops the proposal.
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
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
    // While a word is being composed, Enter takes the proposal.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
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
          aria-label="Message"
          placeholder={placeholder}
          className="field-sizing-content max-h-48 min-h-8 min-w-0 grow resize-none bg-transparent px-2.5 py-1 outline-none placeholder:text-faint"
        />
        {stop && (
          <Button
            onClick={() => {
              // Once it has stopped, the button is gone.
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
