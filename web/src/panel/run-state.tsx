import { StandstillLines } from '../chat/standstill-line';
import { useInspect } from '../hooks/use-inspect';
import { useStandstill } from '../hooks/use-standstill';
import { type Shown, useNow } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { machineState, stepShown } from '../rows/run-words';
import { shownTimer } from '../rows/timers';
import { StatusDot } from '../ui/status-dot';
import { shownStatus } from '../words/rule-words';
import { MachinePicture } from './machine-picture';
import { Section } from './section';

/** The status of the run, and its state in the state machine. */
export function RunState({ conversation }: { conversation: Shown }) {
  const now = useNow();
  const { inspects } = useInspect();
  const run = conversation.run!;
  const machine = machineState(conversation, now);
  const { dot, words } = shownStatus(conversation, shownTimer(conversation.timers), now);
  // What the rows say is then not all.
  const fails = useStandstill(conversation.id)?.known?.attempts.some(({ failed }) => failed);
  return (
    <Section title={t('Run')}>
      <p className="flex items-center gap-2 font-medium">
        <StatusDot of={dot} />
        <span className="first-letter:uppercase">{words}</span>
      </p>
      {machine && (
        <p className="mt-2 text-muted text-sm [overflow-wrap:anywhere]">
          {inspects && (
            <code className="mr-1.5 rounded-md border border-line bg-raised px-1.5 py-0.5 font-mono text-ink text-xs">
              {machine.state}
            </code>
          )}
          {!fails && machine.words}
        </p>
      )}
      <StandstillLines id={conversation.id} />
      {inspects && (
        <>
          <MachinePicture conversation={conversation} />
          <p className="mt-2 text-faint text-xs">
            {run.segment > 1
              ? t('{agent} · step {step} · segment {segment}', {
                  agent: run.agent,
                  step: stepShown(run),
                  segment: run.segment,
                })
              : t('{agent} · step {step}', { agent: run.agent, step: stepShown(run) })}
          </p>
        </>
      )}
    </Section>
  );
}
