import type { Callback, Conversation, Timer } from 'vigil-client';
import type { Call, Run } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { moment, toolWords } from '../words/words';
import { deciderWords } from './deciders';
import { backgroundReply, machinePlaces } from './machine-places';
import { shownTimer } from './timers';
import { openToPeople } from './transcript';
import { waitKindOf } from './wait-kinds';

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
    role,
  }: Pick<Conversation, 'run' | 'calls' | 'callbacks'> & Partial<Pick<Conversation, 'timers' | 'role'>>,
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
          ? t('Until {moment}. Nothing runs, nothing is billed.', { moment: moment(run.until, now) })
          : t('Nothing runs, nothing is billed.'),
      };
    case 'waiting':
      return { state: machinePlaces({ run, calls, callbacks })!.lit, words: waitsFor(callbacks, now, role) };
    case 'done':
      return {
        state: 'Done',
        words: timerEnding(shownTimer(timers)?.status),
      };
    case 'limited':
      return { state: 'Done', words: run.reason ?? t('It reached a limit.') };
    case 'failed':
      return { state: 'Failed', words: run.reason ?? t('The run failed.') };
    case 'cancelling':
      return { state: 'Undo', words: t('Its effects are undone, newest first.') };
    case 'cancelled':
      return { state: 'Stopped', words: run.reason ?? t('The run was stopped.') };
  }
}

const timerEnding = (timer: Timer['status'] | undefined): string => {
  if (timer === undefined) return t('The run is finished.');
  return timer === 'paused'
    ? t('The run is finished. Its timer is paused.')
    : t('The run is finished. Its timer starts the next one.');
};

/** The provider makes the reply. */
function inBackground(callbacks: readonly Callback[], runId: string, now: number) {
  const reply = backgroundReply(callbacks, runId);
  if (!reply?.createdAt) return undefined;
  const words = t('The model has been thinking since {moment}, in the background. Nothing runs meanwhile.', {
    moment: moment(reply.createdAt, now),
  });
  return { state: 'AwaitCallback', words };
}

/** Returns what the run waits for while its model does not answer. */
function modelWait({ modelWait: wait }: Run, now: number): { state: string; words: string } | undefined {
  if (!wait) return undefined;
  const { model, reason, nextAt } = wait;
  const since = moment(wait.since, now);
  const words = isToCome(wait, now)
    ? t('The model {model} has not answered since {since}: {reason} It is asked again at {next}.', {
        model,
        since,
        reason,
        next: moment(nextAt, now, true),
      })
    : t('The model {model} has not answered since {since}: {reason} It is being asked again.', {
        model,
        since,
        reason,
      });
  return { state: 'Sleep', words };
}

/** Whether the next attempt to reach the model is in the future. Until then, nothing runs. */
export const isToCome = (wait: Run['modelWait'], now: number): boolean =>
  wait !== undefined && Date.parse(wait.nextAt) > now;

const isRunning = ({ status }: Call): boolean => status === 'queued' || status === 'running';

function runningState(running: readonly Call[]): { state: string; words: string } {
  const [one, ...more] = running;
  if (!one) return { state: 'CallModel', words: t('The model is working on its reply.') };
  if (more.length === 0) return { state: one.tool, words: t('“{tool}” is running.', { tool: toolWords(one) }) };
  return { state: 'RunTools', words: t('{count} tools are running in parallel.', { count: running.length }) };
}

/** @param role what the reader is, unless they are the owner. */
function waitsFor(callbacks: readonly Callback[], now: number, role: Conversation['role']): string {
  const open = callbacks.filter(({ status }) => status === 'pending');
  const you = openToPeople({ callbacks: open })[0];
  const first = you ?? open[0];
  if (!first) return t('Until it is resumed.');
  const end = moment(first.expiresAt, now);
  if (you?.approvers)
    return t('Until {deciders} approves or denies, at most until {end}.', { deciders: deciderWords(you, now), end });
  return waitKindOf(first).runWaits(first, { end, role, now });
}
