import { activityActions } from './activities';
import { executionActions } from './executions';
import { historyActions } from './history';
import type { Action } from './request';
import { stateMachineActions } from './state-machines';
import { taskActions } from './tasks';
import { versionActions } from './versions';

/** Everything that the API can do. */
export const actions: Readonly<Record<string, Action>> = {
  ...stateMachineActions,
  ...versionActions,
  ...executionActions,
  ...historyActions,
  ...taskActions,
  ...activityActions,
};
