import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button';

export interface ComposerProps {
  placeholder: string;
  send: (text: string) => void;
  /** The last unsent message's words, which are then here to be edited. */
  takeBack?: () => string | undefined;
  /** Given while there is something to stop. */
  stop?: () => void;
  stopsAtEscape?: boolean;
}

/** Enter sends, Shift+Enter breaks the line, Escape stops, ↑ in an empty field brings the last unsent message back. */
export function Composer({ placeholder, send, takeBack, stop, stopsAtEscape }: ComposerProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover what is to be read.
    if (matchMedia('(hover: hover)').matches) field.current?.focus();
  }, []);
  useEffect(() => {
    if (!stop || !stopsAtEscape) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) stop();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [stop, stopsAtEscape]);

  const submit = () => {
    if (!text.trim()) return;
    send(text.trim());
    setText('');
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
      <div className="flex items-end gap-1.5 rounded-2xl border border-line bg-raised p-1.5 shadow-sm focus-within:border-accent">
        <textarea
          ref={field}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
          rows={1}
          maxLength={100_000}
          aria-label="Message"
          placeholder={placeholder}
          className="field-sizing-content max-h-48 min-h-8 min-w-0 grow resize-none bg-transparent px-2.5 py-1 outline-none placeholder:text-faint"
        />
        {stop && (
          <Button onClick={stop} title={stopsAtEscape ? 'Escape' : undefined}>
            <Square aria-hidden className="size-3 fill-current" /> Stop
          </Button>
        )}
        <Button look="strong" icon type="submit" disabled={!text.trim()} aria-label="Send">
          <ArrowUp aria-hidden className="size-4" />
        </Button>
      </div>
    </form>
  );
}
