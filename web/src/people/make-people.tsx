import { clsx } from 'clsx';
import { type FormEvent, type InputHTMLAttributes, type RefObject, useId, useRef, useState } from 'react';
import { RequestFailed } from 'vigil-client';
import type { Approvers } from 'vigil-client/shared';
import { useRead } from '../hooks/use-read';
import { t } from '../languages/catalogue';
import { deciderWords } from '../rows/deciders';
import { Button } from '../ui/button';
import { ListDialog } from '../ui/dialog';
import { wordsOf } from '../words/problem-words';
import { isMade, memberships, type People, type Person } from './people';

export interface MakePeopleProps {
  people: People;
  /** The person of the page. */
  user: string;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Shows the people of the local cloud: adds, removes and becomes them. */
export function MakePeople({ people, user, close, opener }: MakePeopleProps) {
  const [all, setAll] = useState(people.list);
  const [news, setNews] = useState('');
  const title = useRef<HTMLHeadingElement>(null);
  const tell = (words: string) => {
    setAll(people.list());
    setNews(words);
  };
  return (
    <ListDialog
      title={t('People')}
      about={t('On a laptop, people sign in without a password. This browser keeps the list.')}
      close={close}
      heading={title}
      opener={opener}
      className="w-[30rem] max-w-[calc(100vw-2rem)]"
    >
      <div className="overflow-y-auto px-5 pb-5">
        <ul className="divide-y divide-line">
          {all.map((person) => (
            <li key={person.name} className="flex items-center gap-2 py-2 text-sm">
              <span className="min-w-0 grow [overflow-wrap:anywhere]">
                <span className="font-medium">{person.name}</span>
                {person.name === user && <span className="text-faint"> {t('· you')}</span>}
                <span className="block text-faint text-xs">{memberships(person)}</span>
              </span>
              {person.name !== user && (
                <Button
                  onClick={() => people.become(person.name)}
                  aria-label={t('Switch to {name}', { name: person.name })}
                >
                  {t('Switch')}
                </Button>
              )}
              {isMade(person) && (
                <Button
                  look="quiet"
                  aria-label={t('Remove {name}', { name: person.name })}
                  onClick={() => {
                    people.remove(person.name);
                    tell(t('{name} is removed. Their conversations stay.', { name: person.name }));
                    // The focused button has just been removed.
                    title.current?.focus();
                  }}
                >
                  {t('Remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        <p aria-live="polite" className="text-muted text-sm empty:hidden">
          {news}
        </p>
        <NewPerson people={people} added={(name) => tell(t('{name} is added.', { name }))} />
      </div>
    </ListDialog>
  );
}

type Field = 'user' | 'groups' | 'claims';

function NewPerson({ people, added }: { people: People; added: (name: string) => void }) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Approvers[]>([]);
  const [others, setOthers] = useState('');
  const [problem, setProblem] = useState<{ field?: Field; words: string }>();
  const [busy, setBusy] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const { value: offered = [] } = useRead(people.approvers);

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const person = personOf(name.trim(), chosen, others);
    if (people.list().some((one) => one.name === person.name))
      return setProblem({
        field: 'user',
        words: t('There is a person {name} already: choose another name.', { name: person.name }),
      });
    setBusy(true);
    const failure = await people.add(person).then(() => undefined, problemIn);
    setBusy(false);
    setProblem(failure);
    if (failure) return;
    setName('');
    setChosen([]);
    setOthers('');
    added(person.name);
    nameField.current?.focus();
  }
  /** What is wrong was said about the text before. */
  const edit = (set: (to: string) => void) => (to: string) => {
    setProblem(undefined);
    set(to);
  };
  const wordsAt = (field: Field) => (problem?.field === field ? problem.words : undefined);
  return (
    <form onSubmit={(event) => void add(event)} className="mt-3 flex flex-col gap-3 rounded-xl border border-line p-4">
      <h3 className="font-semibold text-sm">{t('Add a person')}</h3>
      <TextField
        ref={nameField}
        label={t('Name')}
        value={name}
        change={edit(setName)}
        problem={wordsAt('user')}
        autoCapitalize="none"
        maxLength={128}
      />
      {offered.length > 0 && (
        <fieldset className="text-sm">
          <legend className="mb-1 text-muted text-xs">{t('Approves calls as one of')}</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {offered.map((one) => (
              <label key={JSON.stringify(one)} className="flex min-h-6 items-center gap-1.5 [overflow-wrap:anywhere]">
                <input
                  type="checkbox"
                  checked={chosen.includes(one)}
                  onChange={({ target }) =>
                    setChosen(target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
                  }
                />
                {deciderWords({ approvers: one })}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <TextField
        label={t('Other groups, with spaces between them (optional)')}
        value={others}
        change={edit(setOthers)}
        problem={wordsAt('groups')}
        autoCapitalize="none"
      />
      {problem && problem.field !== 'user' && problem.field !== 'groups' && (
        <p role="alert" className="text-bad text-sm">
          {problem.words}
        </p>
      )}
      <Button look="strong" type="submit" disabled={busy || name.trim() === ''} className="self-end">
        {t('Add')}
      </Button>
    </form>
  );
}

function personOf(name: string, chosen: readonly Approvers[], others: string): Person {
  const groups = [
    ...chosen.flatMap((one) => ('group' in one ? one.group : [])),
    ...others.split(/\s+/).filter(Boolean),
  ];
  const claims = chosen.flatMap((one) => ('claim' in one ? [[one.claim, one.value]] : []));
  return { name, groups: [...new Set(groups)], claims: Object.fromEntries(claims) };
}

/** The server's words begin with the name of the field, which is beside them here. */
function problemIn(error: unknown): { field?: Field; words: string } {
  const [invalid] = (error instanceof RequestFailed && error.errors) || [];
  if (!invalid) return { words: wordsOf(error) };
  return { field: invalid.path as Field, words: invalid.message.replace(/^\w+ must/, 'It must') };
}

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  ref?: RefObject<HTMLInputElement | null>;
  label: string;
  value: string;
  change: (to: string) => void;
  problem?: string;
}

function TextField({ label, change, problem, ...rest }: TextFieldProps) {
  const noteId = useId();
  return (
    <div>
      <label className="flex flex-col gap-1 text-muted text-xs">
        {label}
        <input
          {...rest}
          onChange={({ target }) => change(target.value)}
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? noteId : undefined}
          spellCheck={false}
          autoComplete="off"
          className={clsx(
            'h-8 rounded-lg border bg-page px-2.5 text-ink text-sm outline-none focus:border-accent',
            problem ? 'border-bad' : 'border-line',
          )}
        />
      </label>
      {problem && (
        <p role="alert" id={noteId} className="mt-1 text-bad text-xs [overflow-wrap:anywhere]">
          {problem}
        </p>
      )}
    </div>
  );
}
