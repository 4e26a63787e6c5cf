import type { Callback } from 'vigil-client';
import { useDraft } from '../hooks/drafts';
import { usePast } from '../hooks/past';
import { useVigil } from '../hooks/use-vigil';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { typedWords } from '../words/fields';
import { type ApprovalDraft, approvalPlace } from './approval-draft';
import { Made } from './decision-made';

/** Shows who decided about a call, when, what they changed, and what the user had typed that was not used. */
export function Decided({ id, callback }: { id: string; callback: Callback }) {
  const { me } = useVigil();
  const past = usePast();
  const [draft, setDraft] = useDraft<ApprovalDraft>(approvalPlace(id, callback), {});
  const { status, outcome, closedAt, fields = [], asker, decisions = [] } = callback;
  const { approved, by, via } = (outcome ?? {}) as { approved?: boolean; by?: string; via?: string };
  const typed =
    past === undefined ? typedWords(draft.typed ?? {}, new Map(fields.map((one) => [one.name, one.label]))) : [];
  const unused = [...typed, ...(draft.reason ? [`reason: ${draft.reason}`] : [])];
  const { inPlaceOf, question } = decisions.at(-1) ?? {};
  const verb = asker ? ['Sent', 'Declined'] : ['Approved', question ? 'Given back' : 'Denied'];
  return (
    <div className="flex flex-col gap-1 px-3 pb-2 text-muted text-xs [overflow-wrap:anywhere] empty:hidden">
      {status === 'answered' && by !== undefined && (
        <p>
          {verb[approved ? 0 : 1]} by {by === me.user ? 'you' : by}
          {inPlaceOf && ` in the place of ${inPlaceOf === me.user ? 'you' : inPlaceOf}`}
          {via === 'notification' && ' from a notification'}
          {closedAt && (
            <>
              , <Moment at={closedAt} />
            </>
          )}
          {approved &&
            fields
              .filter(({ kind, was }) => kind === 'money' || was !== undefined)
              .map(({ name, label, text, was }) => (
                <span key={name}>
                  {' · '}
                  {label} <bdi className="text-ink">{text}</bdi>
                  {was !== undefined && (
                    <>
                      , was <bdi>{was}</bdi>
                    </>
                  )}
                </span>
              ))}
        </p>
      )}
      {decisions.length > 1 && status !== 'pending' && (
        <ul>
          {decisions.map((one) => (
            <li key={one.by}>
              <Made made={one} />
            </li>
          ))}
        </ul>
      )}
      {unused.length > 0 && status !== 'pending' && (
        <p role="status" className="flex flex-wrap items-center gap-x-2 text-ink">
          <span>What you had typed was not used: {unused.join(', ')}.</span>
          <Button look="quiet" className="h-6 px-1.5 text-xs" onClick={() => setDraft(undefined)}>
            Discard
          </Button>
        </p>
      )}
    </div>
  );
}
