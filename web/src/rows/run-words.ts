import type { Callback, Conversation, Timer } from 'vigil-client';
import type { Call, Run } from 'vigil-client/shared';
import { moment, toolWords } from '../words/words';
import { deciderWords } from './deciders';
import { backgroundReply, machinePlaces } from './machine-places';
import { shownTimer } from './timers';
import { openToPeople } from './transcript';

/** Returns the number of the step that the run made last, or in which it failed. */
export const stepShown = ({ step, failedStep = step }: Pick<Run, 'step' | 'failedStep'>): number => failedStep;

/** Whether a call has begun that may have had an effect. A delegation has no attempts of its own. */
export const hasDone = (calls: readonly Pick<Call, 'attempts' | 'kind'>[]): boolean =>
  calls.some(({ attempts, kind }) => attempts > 0 || kind === 'delegate');

/** Returns the name of the run's current state in the state machine, and what happens in it. */
export function machineState(
  {
    run,
    calls,
    callbacks,
    timers = [],
  }: Pick<Conversation, 'run' | 'calls' | 'callbacks'> & Partial<Pick<Conversation, 'timers'>>,
  now: number,
): { state: string; words: string } | undefined {
  if (!run) return undefined;
  switch (run.status) {
    case 'running':
      return (
        inBackground(callbacks, run.id, now) ??
        modelWait(run, now) ??
        runningState(calls.filter((call) => call.runId === run.id && isRunning(call)))
      );
    case 'sleeping':
      return {
        state: 'Sleep',
        words: run.until
          ? `Until ${moment(run.until, now)}. Nothing runs, nothing is billed.`
          : 'Nothing runs, nothing is billed.',
      };
    case 'waiting':
      return { state: machinePlaces({ run, calls, callbacks })!.lit, words: waitsFor(callbacks, now) };
    case 'done':
      return {
        state: 'Done',
        words: timerEnding(shownTimer(timers)?.status),
      };
    case 'limited':
      return { state: 'Done', words: run.reason ?? 'It reached a limit.' };
    case 'failed':
      return { state: 'Failed', words: run.reason ?? 'The run failed.' };
    case 'cancelling':
      return { state: 'Undo', words: 'Its effects are undone, newest first.' };
    case 'cancelled':
      return { state: 'Stopped', words: run.reason ?? 'The run was stopped.' };
  }
}

const timerEnding = (timer: Timer['status'] | undefined): string => {
  if (timer === undefined) return 'The run is finished.';
  return timer === 'paused'
    ? 'The run is finished. Its timer is paused.'
    : 'The run is finished. Its timer starts the next one.';
};

/** The provider makes the reply. */
function inBackground(callbacks: readonly Callback[], runId: string, now: number) {
  const reply = backgroundReply(callbacks, runId);
  if (!reply?.createdAt) return undefined;
  const words = `The model has been thinking since ${moment(reply.createdAt, now)}, in the background. Nothing runs meanwhile.`;
  return { state: 'AwaitCallback', words };
}

/** Returns what the run waits for while its model does not answer. */
function modelWait({ modelWait: wait }: Run, now: number): { state: string; words: string } | undefined {
  if (!wait) return undefined;
  const { model, since, reason, nextAt } = wait;
  const next = isToCome(wait, now) ? `It is asked again at ${moment(nextAt, now, true)}.` : 'It is being asked again.';
  return {
    state: 'Sleep',
    words: `The model ${model} has not answered since ${moment(since, now)}: ${reason} ${next}`,
  };
}

/** Whether the next attempt to reach the model is in the future. Until then, nothing runs. */
export const isToCome = (wait: Run['modelWait'], now: number): boolean =>
  wait !== undefined && Date.parse(wait.nextAt) > now;

const isRunning = ({ status }: Call): boolean => status === 'queued' || status === 'running';

function runningState(running: readonly Call[]): { state: string; words: string } {
  const [one, ...more] = running;
  if (!one) return { state: 'CallModel', words: 'The model is working on its reply.' };
  if (more.length === 0) return { state: one.tool, words: `“${toolWords(one)}” is running.` };
  return { state: 'RunTools', words: `${running.length} tools are running in parallel.` };
}

function waitsFor(callbacks: readonly Callback[], now: number): string {
  const open = callbacks.filter(({ status }) => status === 'pending');
  const you = openToPeople({ callbacks: open })[0];
  if (you?.approvers)
    return `Until ${deciderWords(you, now)} approves or denies, at most until ${moment(you.expiresAt, now)}.`;
  if (you)
    return `Until you ${you.kind === 'approval' ? 'decide' : 'answer'}, at most until ${moment(you.expiresAt, now)}.`;
  const [other] = open;
  if (!other) return 'Until it is resumed.';
  const whom = other.kind === 'agent' ? 'another agent has finished' : 'an outside system delivers';
  return `Until ${whom}, at most until ${moment(other.expiresAt, now)}.`;
}
