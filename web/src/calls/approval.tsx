import { clsx } from 'clsx';
import { useId, useRef, useState } from 'react';
import type { Callback } from 'vigil-client';
import { useDraft } from '../hooks/drafts';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';
import { useOwns } from '../members/use-people';
import { Button } from '../ui/button';
import { Late, lazily } from '../ui/late';
import { Receipt } from '../ui/receipt';
import { editedFields, formIn, formOf, type Typed } from '../words/fields';
import { limitsIn } from '../words/standing';
import { type ApprovalDraft, approvalPlace, typedIn } from './approval-draft';
import { ArgumentField } from './argument-field';
import { AssignButton, AssignmentLine } from './assignment';
import { DecisionFields } from './decision-fields';
import { Denial } from './denial';
import { OutsideWords } from './outside-words';
import { fieldsBelow, Sentence } from './sentence';
import type { StandingOfferProps } from './standing-offer';
import { TimeLeft } from './time-left';
import { useAnswer } from './use-answer';

const ApprovalSteps = lazily<'ApprovalSteps', { callback: Callback }>(
  () => import('./approval-steps'),
  'ApprovalSteps',
);
const StandingOfferForm = lazily<'StandingOfferForm', StandingOfferProps>(
  () => import('./standing-offer'),
  'StandingOfferForm',
);

export interface AskedProps {
  id: string;
  callback: Callback;
  /** Whose conversation it is in. */
  owner: string;
  /** Why it cannot be answered now, if it cannot. */
  refused?: string;
  /** The form is not in its conversation, which the page may not have. */
  elsewhere?: true;
}

/** The form of an approval: approve the call, perhaps with changed arguments, or deny it with a reason. */
export function Approval({ id, callback, owner, refused, elsewhere }: AskedProps) {
  const { asker, fields: drawn = [] } = callback;
  const owns = useOwns();
  const [draft, keepDraft] = useDraft<ApprovalDraft>(approvalPlace(id, callback), {});
  const setDraft = (to?: ApprovalDraft) => keepDraft(to && { ...to, notation: locale() });
  const fields = formOf(callback);
  const { reason } = draft;
  const typed = typedIn(draft, fields);
  const { held, answer } = useAnswer({ id, callback });
  const [allows, setAllows] = useState<Typed>();
  const { values, isEdited, problems, amount } = formIn(fields, typed ?? {});
  // What is typed stands in the sentence at once.
  const fieldsNow = values && isEdited && !asker ? editedFields(callback, values) : drawn;
  // A server's form is blank: there is nothing to read in it yet.
  const isOpen = typed !== undefined || asker !== undefined;
  const promptId = useId();
  const assigning = useRef<HTMLButtonElement>(null);
  const item = { conversationId: id, callback, owner };
  const standing = allows && limitsIn(callback, allows);
  const isDisabled = refused !== undefined;
  const approvable = values !== undefined && !isDisabled && (!allows || standing !== undefined);
  // The first to decide may change what all approve.
  const isFirst = !callback.decisions?.length;

  return (
    <form
      aria-labelledby={promptId}
      className="flex flex-col gap-3 px-3 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (held || reason !== undefined || !approvable) return;
        const edited = (isEdited || asker) && { arguments: values };
        answer({ approved: true, ...edited, ...(standing && { standing }) }, amount);
      }}
    >
      <p
        id={promptId}
        className={clsx('whitespace-pre-wrap text-base [overflow-wrap:anywhere]', !callback.sentence && 'font-medium')}
      >
        <Sentence {...callback} fields={fieldsNow} />
      </p>
      {callback.reason && <OutsideWords id={id} callback={callback} canTrust={!elsewhere && owns} />}
      {reason === undefined && isOpen && fields.length > 0 ? (
        <fieldset disabled={held !== undefined} className="grid min-w-0 gap-x-3 gap-y-2 sm:grid-cols-2">
          {fields.map((field) => (
            <ArgumentField
              key={field.name}
              field={field}
              value={typed && Object.hasOwn(typed, field.name) ? typed[field.name]! : field.text}
              problem={typed && Object.hasOwn(typed, field.name) ? problems.get(field.name) : undefined}
              change={(to) => setDraft({ typed: { ...typed, [field.name]: to } })}
            />
          ))}
        </fieldset>
      ) : (
        <DecisionFields fields={fieldsBelow(callback, fieldsNow)} />
      )}
      {callback.steps && (
        <Late>
          <ApprovalSteps callback={callback} />
        </Late>
      )}
      {allows && reason === undefined && (
        <Late>
          <StandingOfferForm callback={callback} typed={allows} change={setAllows} />
        </Late>
      )}
      {reason === undefined && !isDisabled && !held && <AssignmentLine item={item} next={assigning} />}
      {refused && <p className="text-muted">{refused}</p>}
      {held ? (
        <Receipt held={held} />
      ) : reason === undefined ? (
        <div data-row="" className="flex flex-wrap items-center gap-2">
          <Button look="strong" type="submit" disabled={!approvable} aria-describedby={promptId}>
            {asker ? t('Send') : approveWords(amount, isEdited, allows !== undefined)}
          </Button>
          {!asker && isFirst && fields.length > 0 && (
            <Button onClick={() => setDraft(isOpen ? undefined : { typed: {} })} disabled={isDisabled}>
              {isOpen ? t('Keep as asked') : t('Change…')}
            </Button>
          )}
          <Button onClick={() => setDraft({ typed, reason: '' })} disabled={isDisabled}>
            {asker ? t('Decline…') : t('Deny…')}
          </Button>
          {callback.standing && !isEdited && (
            <Button
              look="quiet"
              onClick={() => setAllows(allows ? undefined : {})}
              aria-expanded={allows !== undefined}
              disabled={isDisabled}
            >
              {allows ? t('Allow only this one') : t('Always allow…')}
            </Button>
          )}
          <AssignButton ref={assigning} item={item} disabled={isDisabled} />
          <TimeLeft until={callback.expiresAt} />
        </div>
      ) : (
        <Denial
          reason={reason}
          change={(to) => setDraft({ typed, reason: to })}
          disabled={isDisabled}
          deny={() => answer({ approved: false, ...(reason.trim() && { reason: reason.trim() }) })}
          giveBack={asker ? undefined : () => answer({ approved: false, question: reason.trim() })}
          back={() => setDraft({ typed })}
        />
      )}
    </form>
  );
}

/** Says what the button does: with the amount, if there is only one. */
function approveWords(amount: string | undefined, isEdited: boolean, allowsLater: boolean): string {
  if (amount === undefined) {
    if (allowsLater) return isEdited ? t('Approve as edited and allow later ones') : t('Approve and allow later ones');
    return isEdited ? t('Approve as edited') : t('Approve');
  }
  if (allowsLater)
    return isEdited
      ? t('Approve {amount} as edited and allow later ones', { amount })
      : t('Approve {amount} and allow later ones', { amount });
  return isEdited ? t('Approve {amount} as edited', { amount }) : t('Approve {amount}', { amount });
}
