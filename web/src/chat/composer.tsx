import { clsx } from 'clsx';
import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { type DraftFiles, filesPlace, noFiles, readiness } from '../files/draft-files';
import { useDraft } from '../hooks/drafts';
import type { Unsent } from '../kept/unsent';
import { t } from '../languages/catalogue';
import { type Addressee, AddresseeChoice } from '../members/addressee';
import { useMentions } from '../members/use-mentions';
import { mentionedIn, type Who } from '../members/who';
import { Button } from '../ui/button';
import { Late, lazily } from '../ui/late';

const Attachments = lazily(() => import('../files/attachments'), 'Attachments');
const Attach = lazily(() => import('../files/attach'), 'Attach');

export interface ComposerProps {
  /** The key of its draft: for example a conversation's id. */
  place: string;
  placeholder: string;
  /**
   * @returns whether the text and the files were accepted. If not, they stay.
   */
  send: (text: string, files: DraftFiles, to: Pick<Unsent, 'to' | 'mentions'>) => boolean;
  /** Takes back the last unsent message and returns it for editing. */
  takeBack?: () => Pick<Unsent, 'text' | 'files' | 'to'> | undefined;
  /** Set while there is a run to stop. */
  stop?: () => void;
  stopsAtEscape?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  /** The people of the conversation, if it has several: a message may be for them only, and mention them. */
  people?: readonly Who[];
  /** People read what is written, and no agent answers: there is no choice. */
  isForPeople?: boolean;
  /** Called with each change of the text. */
  types?: () => void;
  /** Stands above the text. */
  above?: ReactNode;
  /** Does not take the focus by itself. */
  isQuiet?: boolean;
}

/** The draft of whom a message is for. */
const addresseePlace = (place: string): string => `${place} to`;

const nobody: readonly Who[] = [];

/** The API's limit. */
const atMost = 100_000;

/** Focuses the field, except on touch devices, where the keyboard would cover the page. */
export const focusField = (field: HTMLTextAreaElement | null): void => {
  if (matchMedia('(hover: hover)').matches) field?.focus();
};

/**
 * The message field, with the files of the message. Enter sends, Shift+Enter adds a line, Escape stops the run, ↑ in an empty field takes
 * the last unsent message back. A message whose files are still uploaded is sent when they are.
 */
export function Composer({
  place,
  placeholder,
  send,
  takeBack,
  stop,
  stopsAtEscape,
  field: given,
  people = nobody,
  isForPeople = false,
  types,
  above,
  isQuiet = false,
}: ComposerProps) {
  const [text, setText] = useDraft(place, '');
  const [files, setFiles] = useDraft(filesPlace(place), noFiles);
  const [to, setTo] = useDraft<Addressee>(addresseePlace(place), 'agent');
  const [waits, setWaits] = useState(false);
  const own = useRef<HTMLTextAreaElement>(null);
  const field = given ?? own;
  const chooses = people.length > 0 && !isForPeople;
  const mentions = useMentions({ field, people, change: setText });
  const tooMany = text.trim().length - atMost;
  const filesAre = readiness(files);
  const sendable = (text.trim() !== '' || files.length > 0) && tooMany <= 0 && filesAre !== 'failed';
  useEffect(() => {
    // It may come late, when the user has opened something.
    if (!isQuiet && !document.querySelector('[role=menu], dialog[open]')) focusField(field.current);
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
    if (!sendable) return;
    if (filesAre === 'uploading') return setWaits(true);
    setWaits(false);
    const mentioned = mentionedIn(text, people).map(({ user }) => user);
    const toPeople = chooses && to === 'people' && ({ to } as const);
    if (!send(text.trim(), files, { ...toPeople, ...(mentioned.length > 0 && { mentions: mentioned }) })) return;
    mentions.close();
    setText(undefined);
    setFiles(undefined);
    field.current?.focus();
  };
  useEffect(() => {
    if (!waits) return;
    if (filesAre === 'ready') submit();
    if (filesAre === 'failed') setWaits(false);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentions.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    }
    if (event.key !== 'ArrowUp' || text !== '') return;
    const back = takeBack?.();
    if (back === undefined) return;
    event.preventDefault();
    setText(back.text || undefined);
    setTo(back.to);
    if (back.files) setFiles([...back.files, ...files]);
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
          {t(
            '{count, plural, one {# character} other {# characters}} too long: a message has at most {atMost, number}.',
            { count: tooMany, atMost },
          )}
        </p>
      )}
      <div className="relative rounded-2xl border border-line bg-raised p-1.5 shadow-sm focus-within:border-accent">
        {mentions.list}
        {above}
        {chooses && <AddresseeChoice to={to} change={(next) => setTo(next === 'agent' ? undefined : next)} />}
        {files.length > 0 && (
          <Late>
            <Attachments place={place} field={field} waits={waits} wait={setWaits} />
          </Late>
        )}
        <div className="flex items-end gap-1.5">
          <Late meanwhile={<span className="size-8 shrink-0 [@media(hover:none)]:size-11" />}>
            <Attach place={place} field={field} />
          </Late>
          <textarea
            ref={field}
            value={text}
            onChange={({ target }) => {
              setText(target.value || undefined);
              // What is changed is sent again.
              setWaits(false);
              mentions.look();
              types?.();
            }}
            onBlur={mentions.close}
            {...mentions.attributes}
            onKeyDown={onKeyDown}
            rows={1}
            dir="auto"
            aria-label={t('Message')}
            placeholder={chooses && to === 'people' ? t('Message to the people…') : placeholder}
            className="field-sizing-content max-h-48 min-h-8 min-w-0 grow resize-none self-center bg-transparent px-1.5 py-1 outline-none placeholder:text-faint"
          />
          {stop && (
            <Button
              onClick={() => {
                // The button disappears when the run has stopped.
                focusField(field.current);
                stop();
              }}
              title={stopsAtEscape ? 'Escape' : undefined}
              className="[@media(hover:none)]:h-11"
            >
              <Square aria-hidden className="size-3 fill-current" /> {t('Stop')}
            </Button>
          )}
          <Button
            look="strong"
            icon
            type="submit"
            disabled={!sendable}
            aria-label={t('Send')}
            className={clsx('[@media(hover:none)]:size-11', waits && 'animate-breathe')}
          >
            <ArrowUp aria-hidden className="size-4" />
          </Button>
        </div>
      </div>
    </form>
  );
}
