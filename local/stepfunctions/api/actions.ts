import { activityActions } from './activities';
import { aliasActions } from './aliases';
import { executionActions } from './executions';
import { expressActions } from './express';
import { historyActions } from './history';
import { mapRunActions } from './map-runs';
import type { Action } from './request';
import { stateMachineActions } from './state-machines';
import { tagActions } from './tags';
import { taskActions } from './tasks';
import { testStateActions } from './test-state/test-state';
import { validateActions } from './validate';
import { versionActions } from './versions';

/** Everything that the API can do. */
export const actions: Readonly<Record<string, Action>> = {
  ...stateMachineActions,
  ...versionActions,
  ...aliasActions,
  ...executionActions,
  ...historyActions,
  ...mapRunActions,
  ...taskActions,
  ...activityActions,
  ...expressActions,
  ...tagActions,
  ...testStateActions,
  ...validateActions,
};
