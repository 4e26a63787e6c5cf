import type { CallStatus, RunStatus } from './api-types';

/** Whether a run has ended. */
export const isOver = (status: RunStatus): boolean =>
  status === 'done' || status === 'failed' || status === 'limited' || status === 'cancelled';

/** Whether a call has its outcome. */
export const isSettled = (status: CallStatus): boolean =>
  status !== 'queued' && status !== 'running' && status !== 'waiting';
