import { type RefObject, useRef, useState } from 'react';
import { fieldsOf, type StandingApproval } from 'vigil-client/shared';
import { DecisionFields } from '../calls/decision-fields';
import { useModule } from '../hooks/use-module';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { Devices } from '../notices/devices';
import { Button } from '../ui/button';
import { ListDialog } from '../ui/dialog';
import { Moment } from '../ui/moment';
import { Receipt, useHeld } from '../ui/receipt';
import { Trouble } from '../ui/trouble';
import { agentName } from '../words/agents';
import { limitWords } from '../words/standing';
import { toolWords } from '../words/words';
import { AbsencePart } from './absence';
import { SharedPart } from './shared-part';

export interface AllowedProps {
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Shows what others may do for the user without a token: standing approvals, who decides in their place, devices, and who is in their conversations. */
export function Allowed({ close, opener }: AllowedProps) {
  const { act } = useVigil();
  const isNotified = useModule('notices');
  const title = useRef<HTMLHeadingElement>(null);
  const [changes, setChanges] = useState(0);
  const { value: approvals = [], reading, again } = useRead(act.allowed);
  return (
    <ListDialog
      title={t('Who may do what for me')}
      about={t('Calls that are made without asking you, who decides in your place, and who is in your conversations.')}
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
        <AbsencePart key={`absence ${changes}`} />
        {isNotified && <Devices key={`devices ${changes}`} ended={again} />}
        <SharedPart
          ended={() => {
            again();
            setChanges(changes + 1);
          }}
        />
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
