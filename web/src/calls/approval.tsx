import { useId, useState } from 'react';
import type { Callback } from '../../../core/schemas';
import { type Field, fieldsOf, isEdited, valuesOf } from '../state/fields';
import { useVigil } from '../state/use-vigil';
import { Button } from '../ui/button';
import { ArgumentField } from './argument-field';
import { TimeLeft } from './time-left';

/** A decision: what would run and what with, which may be changed before it is approved; or no, and why. */
export function Approval({ id, callback }: { id: string; callback: Callback }) {
  const { act } = useVigil();
  const asked = callback.arguments;
  const [fields, setFields] = useState(() => fieldsOf(asked));
  const [denying, setDenying] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const edited = isEdited(fields, asked);
  const promptId = useId();

  async function decide(verdict: Parameters<typeof act.answer>[2]): Promise<void> {
    setBusy(true);
    const wrong = await act.answer(id, callback.id, verdict);
    setProblem(wrong);
    // Taken, the card goes by itself once the call's row says so.
    if (wrong) setBusy(false);
  }
  function approve(): void {
    try {
      void decide({ approved: true, ...(edited && { arguments: valuesOf(fields) }) });
    } catch (error) {
      setProblem((error as Error).message);
    }
  }
  const change = (to: Field) => setFields(fields.map((one) => (one.name === to.name ? to : one)));

  return (
    <form
      aria-labelledby={promptId}
      className="flex flex-col gap-3 px-3 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        approve();
      }}
    >
      <p id={promptId} className="whitespace-pre-wrap font-medium text-base [overflow-wrap:anywhere]">
        {callback.prompt}
      </p>
      {!denying && fields.length > 0 && (
        <div className="grid gap-x-3 gap-y-2 sm:grid-cols-2">
          {fields.map((field) => (
            <ArgumentField key={field.name} field={field} change={change} />
          ))}
        </div>
      )}
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      {denying ? (
        <Denial
          busy={busy}
          deny={(reason) => void decide({ approved: false, ...(reason && { reason }) })}
          back={() => setDenying(false)}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button look="strong" type="submit" disabled={busy}>
            {edited ? 'Approve as edited' : 'Approve'}
          </Button>
          <Button onClick={() => setDenying(true)} disabled={busy}>
            Deny…
          </Button>
          <TimeLeft until={callback.expiresAt} />
        </div>
      )}
    </form>
  );
}

function Denial({ busy, deny, back }: { busy: boolean; deny: (reason: string) => void; back: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <div className="flex flex-wrap gap-2">
      <input
        // biome-ignore lint/a11y/noAutofocus: it is what was just asked for.
        autoFocus
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') back();
          if (event.key !== 'Enter') return;
          event.preventDefault();
          deny(reason.trim());
        }}
        maxLength={2_000}
        aria-label="Why not; the model reads it"
        placeholder="Why not? The model reads it. (optional)"
        className="h-8 min-w-48 grow rounded-lg border border-line bg-raised px-2.5 outline-none placeholder:text-faint focus:border-accent"
      />
      <Button look="danger" disabled={busy} onClick={() => deny(reason.trim())}>
        Deny
      </Button>
      <Button look="quiet" onClick={back}>
        Back
      </Button>
    </div>
  );
}
