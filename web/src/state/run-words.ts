import type { Call, Callback, Conversation, ConversationSummary, Run } from '../../../core/state/schemas';
import { machinePlaces } from './machine-places';
import { openToPeople } from './transcript';
import { moment, plain } from './words';

/** Whether there is something to stop. */
export const isActive = (run: Run | undefined): boolean =>
  run?.status === 'running' || run?.status === 'sleeping' || run?.status === 'waiting';

/** It stopped where it can go on. */
export const canRetry = (run: Pick<ConversationSummary, 'status'> | undefined): boolean =>
  run?.status === 'failed' || run?.status === 'limited';

/** Whether something was begun that may have had an effect; another agent's work has no attempts of its own. */
export const hasDone = (calls: readonly Pick<Call, 'attempts' | 'kind'>[]): boolean =>
  calls.some(({ attempts, kind }) => attempts > 0 || kind === 'delegate');

/** The state of the state machine that the run is in, by its name there, and what happens in it. */
export function machineState(
  { run, calls, callbacks }: Pick<Conversation, 'run' | 'calls' | 'callbacks'>,
  now: number,
): { state: string; words: string } | undefined {
  if (!run) return undefined;
  switch (run.status) {
    case 'running':
      return runningState(calls.filter((call) => call.runId === run.id && isAtWork(call)));
    case 'sleeping':
      return {
        state: 'Sleep',
        words: run.until
          ? `Until ${moment(run.until, now)}. Nothing runs, nothing is billed.`
          : 'Nothing runs, nothing is billed.',
      };
    case 'waiting':
      return { state: machinePlaces({ run, calls })!.lit, words: waitsFor(callbacks, now) };
    case 'done':
      return { state: 'Done', words: 'It has nothing left to do.' };
    case 'limited':
      return { state: 'Done', words: run.reason ?? 'It reached a limit.' };
    case 'failed':
      return { state: 'Failed', words: run.reason ?? 'It gave up.' };
    case 'cancelling':
      return { state: 'Undo', words: 'What it did is undone, the newest first.' };
    case 'cancelled':
      return { state: 'Stopped', words: run.reason ?? 'Somebody stopped it.' };
  }
}

const isAtWork = ({ status }: Call): boolean => status === 'queued' || status === 'running';

function runningState(atWork: readonly Call[]): { state: string; words: string } {
  const [one, ...more] = atWork;
  if (!one) return { state: 'CallModel', words: 'The model reads, thinks and writes.' };
  if (more.length === 0) return { state: one.tool, words: `The tool “${plain(one.tool)}” is at work.` };
  return { state: 'RunTools', words: `${atWork.length} tools are at work at the same time.` };
}

function waitsFor(callbacks: readonly Callback[], now: number): string {
  const open = callbacks.filter(({ status }) => status === 'pending');
  const you = openToPeople({ callbacks: open })[0];
  if (you)
    return `Until you ${you.kind === 'approval' ? 'decide' : 'answer'}, at most until ${moment(you.expiresAt, now)}.`;
  const [other] = open;
  if (!other) return 'Until it is told to go on.';
  const whom = other.kind === 'agent' ? 'another agent has finished' : 'an outside system delivers';
  return `Until ${whom}, at most until ${moment(other.expiresAt, now)}.`;
}
