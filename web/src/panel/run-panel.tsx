import { useConversation, useVigil } from '../state/use-vigil';
import { Laptop } from './laptop';
import { RunState } from './run-state';
import { Timeline } from './timeline';
import { Timers } from './timers';
import { UsageFigures } from './usage';

/** The right side: the run behind the conversation. */
export function RunPanel({ id }: { id: string }) {
  const { clock } = useVigil();
  const conversation = useConversation(id);
  return (
    <>
      <div className="flex min-h-0 grow flex-col gap-6 overflow-y-auto px-4 py-4">
        {conversation?.run ? (
          <>
            <RunState conversation={conversation} />
            <Timeline conversation={conversation} />
            <UsageFigures conversation={conversation} />
          </>
        ) : (
          <p className="text-faint text-sm">Nothing has run here yet.</p>
        )}
        {conversation && <Timers conversation={conversation} />}
      </div>
      {clock && <Laptop clock={clock} conversation={conversation} />}
    </>
  );
}
