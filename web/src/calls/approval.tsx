import { useId } from 'react';
import type { Callback } from '../../../core/state/schemas';
import { useDraft } from '../hooks/drafts';
import { Button } from '../ui/button';
import { type Field, fieldsOf, isEdited, valuesOf } from '../words/fields';
import { ArgumentField } from './argument-field';
import { Denial } from './denial';
import { OutsideWords } from './outside-words';
import { TimeLeft } from './time-left';
import { useAnswer } from './use-answer';

export interface AskedProps {
  id: string;
  callback: Callback;
  /** The run has failed, so an answer would not be read. */
  answersRefused: boolean;
  /** The form is not in its conversation, which the page may not have. */
  elsewhere?: true;
  /** Called when the answer is accepted, before the form disappears. */
  decided: () => void;
}

interface Draft {
  fields: Field[];
  /** The reason, while the call is being denied. */
  reason?: string;
}

/** The form of an approval: approve the call, perhaps with edited arguments, or deny it with a reason. */
export function Approval({ id, callback, answersRefused, decided, elsewhere }: AskedProps) {
  const asked = callback.arguments;
  const [{ fields, reason }, setDraft] = useDraft<Draft>(`${id} ${callback.id}`, { fields: fieldsOf(asked) });
  const { busy, problem, setProblem, answer } = useAnswer({ id, callback, decided, elsewhere }, () =>
    setDraft(undefined),
  );
  const edited = isEdited(fields, asked);
  const promptId = useId();

  function approve(): void {
    try {
      void answer({ approved: true, ...(edited && { arguments: valuesOf(fields) }) });
    } catch (error) {
      setProblem((error as Error).message);
    }
  }
  const change = (to: Field) => setDraft({ fields: fields.map((one) => (one.name === to.name ? to : one)) });

  return (
    <form
      aria-labelledby={promptId}
      className="flex flex-col gap-3 px-3 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) approve();
      }}
    >
      <p id={promptId} className="whitespace-pre-wrap font-medium text-base [overflow-wrap:anywhere]">
        {callback.prompt}
      </p>
      {callback.sources && callback.sources.length > 0 && (
        <OutsideWords id={id} sources={callback.sources} canTrust={!elsewhere} />
      )}
      {reason === undefined && fields.length > 0 && (
        <div className="grid gap-x-3 gap-y-2 sm:grid-cols-2">
          {fields.map((field) => (
            <ArgumentField key={field.name} field={field} what={callback.kinds?.[field.name]} change={change} />
          ))}
        </div>
      )}
      <AnswersRefused answersRefused={answersRefused} />
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      {reason === undefined ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button look="strong" type="submit" disabled={busy || answersRefused}>
            {callback.asker ? 'Send' : edited ? 'Approve as edited' : 'Approve'}
          </Button>
          <Button onClick={() => setDraft({ fields, reason: '' })} disabled={busy || answersRefused}>
            {callback.asker ? 'Decline…' : 'Deny…'}
          </Button>
          <TimeLeft until={callback.expiresAt} />
        </div>
      ) : (
        <Denial
          reason={reason}
          change={(to) => setDraft({ fields, reason: to })}
          disabled={busy || answersRefused}
          deny={() => void answer({ approved: false, ...(reason.trim() && { reason: reason.trim() }) })}
          back={() => setDraft({ fields })}
        />
      )}
    </form>
  );
}

/** Says why the callback cannot be answered now. */
export function AnswersRefused({ answersRefused }: Pick<AskedProps, 'answersRefused'>) {
  return answersRefused ? (
    <p className="text-muted">The run has stopped. Continue it below, and it asks again.</p>
  ) : null;
}
