import type { Callback } from 'vigil-client';
import type { DecisionField, DecisionMade } from 'vigil-client/shared';
import { useDraft } from '../hooks/drafts';
import { usePast } from '../hooks/past';
import { useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { Button } from '../ui/button';
import { localValue, typedWords } from '../words/fields';
import { type ApprovalDraft, approvalPlace } from './approval-draft';
import { Made } from './decision-made';

/** Shows who decided about a call, when, what they changed, and what the user had typed that was not used. */
export function Decided({ id, callback }: { id: string; callback: Callback }) {
  const past = usePast();
  const [draft, setDraft] = useDraft<ApprovalDraft>(approvalPlace(id, callback), {});
  const { status, fields = [], asker } = callback;
  const typed =
    past === undefined ? typedWords(draft.typed ?? {}, new Map(fields.map((one) => [one.name, one.label]))) : [];
  const unused = [...typed, ...(draft.reason ? [t('reason: {reason}', { reason: draft.reason })] : [])];
  const made = status === 'pending' ? [] : decisionsOf(callback);
  const isLast = (index: number) => status === 'answered' && index === made.length - 1;
  return (
    <div className="flex flex-col gap-1 px-3 pb-2 text-muted text-xs [overflow-wrap:anywhere] empty:hidden">
      {made.length > 0 && (
        <ul>
          {made.map((one, index) => (
            <li key={one.by}>
              <Made made={one} isForm={asker !== undefined}>
                {isLast(index) && one.approved && <Approved fields={fields} />}
              </Made>
            </li>
          ))}
        </ul>
      )}
      {unused.length > 0 && status !== 'pending' && (
        <p role="status" className="flex flex-wrap items-center gap-x-2 text-ink">
          <span>{t('What you had typed was not used: {words}.', { words: unused.join(', ') })}</span>
          <Button look="quiet" className="h-6 px-1.5 text-xs" onClick={() => setDraft(undefined)}>
            {t('Discard')}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Returns what was decided. Rows from before there were several approvers have the last decision in their outcome. */
function decisionsOf({ decisions = [], outcome, closedAt = '' }: Callback): DecisionMade[] {
  const { by, approved = false, via } = (outcome ?? {}) as Partial<DecisionMade>;
  return decisions.length > 0 || by === undefined ? decisions : [{ by, at: closedAt, approved, step: 0, via }];
}

/** The amounts, and what an approver has changed. */
function Approved({ fields }: { fields: readonly DecisionField[] }) {
  const now = useNow();
  const shown = fields.filter(({ kind, was }) => kind === 'money' || was !== undefined);
  return shown.map((field) => (
    <span key={field.name}>
      {' · '}
      {field.label} <bdi className="text-ink">{localValue(field, now)}</bdi>
      {field.was !== undefined && (
        <>
          {', '}
          {rich('was {value}', { value: <bdi>{localValue({ ...field, text: field.was }, now)}</bdi> })}
        </>
      )}
    </span>
  ));
}
