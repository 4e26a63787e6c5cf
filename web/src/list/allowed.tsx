import { type RefObject, useRef } from 'react';
import { fieldsOf, type StandingApproval } from 'vigil-client/shared';
import { DecisionFields } from '../calls/decision-fields';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { Button } from '../ui/button';
import { ListDialog } from '../ui/dialog';
import { Moment } from '../ui/moment';
import { Receipt, useHeld } from '../ui/receipt';
import { Trouble } from '../ui/trouble';
import { agentName } from '../words/agents';
import { limitWords } from '../words/standing';
import { toolWords } from '../words/words';
import { AbsencePart } from './absence';

export interface AllowedProps {
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Shows what the user has allowed for later, with what was done, and who decides in their place. */
export function Allowed({ close, opener }: AllowedProps) {
  const { act } = useVigil();
  const title = useRef<HTMLHeadingElement>(null);
  const { value: approvals = [], reading, again } = useRead(act.allowed);
  return (
    <ListDialog
      title={t('What you have allowed')}
      about={t('Calls that are made without asking you, within these limits.')}
      close={close}
      heading={title}
      opener={opener}
      className="w-[34rem] max-w-[calc(100vw-2rem)]"
    >
      <div className="overflow-y-auto px-5 py-2">
        {reading.is === 'failed' && (
          <Trouble title={t('Could not be loaded')} problem={reading.problem} retry={again} />
        )}
        {reading.is === 'ready' && approvals.length === 0 && (
          <p className="py-6 text-center text-faint text-sm">
            {t('Nothing. “Always allow…” on an approval’s card adds it here.')}
          </p>
        )}
        <ul className="divide-y divide-line">
          {approvals.map((one) => (
            <AllowedItem key={one.id} approval={one} again={again} />
          ))}
        </ul>
        <AbsencePart />
      </div>
    </ListDialog>
  );
}

interface AllowedItemProps {
  approval: StandingApproval;
  again: () => void;
}

function AllowedItem({ approval, again }: AllowedItemProps) {
  const { act, held } = useVigil();
  const receipt = useHeld(approval.id);
  const { id, tool, agent, same, expiresAt, revokedAt, uses, calls } = approval;
  const name = toolWords({ tool });
  const isOver = revokedAt !== undefined || uses.length >= calls;
  return (
    <li data-row={id} className="flex items-start gap-3 py-2.5 text-sm">
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="font-medium">
          {name} <span className="font-normal text-muted text-xs">{agentName(agent)}</span>
        </p>
        <DecisionFields fields={fieldsOf({ arguments: same })} />
        <p className="text-muted text-xs">
          {revokedAt
            ? rich('{limits} · ended {moment}', { limits: limitWords(approval), moment: <Moment at={revokedAt} /> })
            : rich('{limits} · until {moment}', { limits: limitWords(approval), moment: <Moment at={expiresAt} /> })}
        </p>
      </div>
      {receipt && <Receipt held={receipt} />}
      {!receipt && !isOver && (
        <Button
          aria-label={t('End: {name}', { name })}
          onClick={() => void held.atOnce(id, t('Ended'), () => act.revoke(id)).then(again)}
        >
          {t('End')}
        </Button>
      )}
    </li>
  );
}
