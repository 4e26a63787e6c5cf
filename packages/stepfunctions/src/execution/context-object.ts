import { type Json, type JsonObject, parseJson } from '../language/json';
import { formatTimestamp } from '../language/timestamp';
import type { Branch, Execution, MapItem } from './execution';
import type { StateType } from './state';

export interface ContextExtras {
  token?: string;
  /** Inside an ItemSelector: the item that is being prepared. */
  item?: MapItem;
}

/** Only these can have retriers, and say how often they have been tried again. */
const retriable = new Set<StateType>(['Task', 'Parallel', 'Map']);

/** `$$`: the context object (section "The Context Object", and AWS's page of that name). */
export function contextObject(
  { identity, redriveCount, redriveTime }: Execution,
  branch: Branch,
  extras: ContextExtras = {},
): JsonObject {
  if (identity.context !== undefined) return identity.context;
  const item = extras.item ?? branch.item;
  const { own } = branch;
  const { arn, name, startTime, stateMachineArn, stateMachineName, express } = own ?? identity;
  return {
    Execution: {
      Id: arn,
      // Read rarely, and not worth keeping beside its text.
      get Input(): Json {
        return own ? own.input : parseJson(identity.input);
      },
      StartTime: formatTimestamp(startTime),
      Name: name,
      RoleArn: identity.roleArn,
      ...(!express && { RedriveCount: redriveCount }),
      ...(redriveTime !== undefined && { RedriveTime: formatTimestamp(redriveTime) }),
    },
    StateMachine: { Id: stateMachineArn, Name: stateMachineName },
    State: {
      Name: branch.state.name,
      EnteredTime: formatTimestamp(branch.enteredTime),
      ...(retriable.has(branch.state.type) && {
        RetryCount: branch.attempts.reduce((sum, each) => sum + (each ?? 0), 0),
      }),
    },
    ...(extras.token !== undefined && { Task: { Token: extras.token } }),
    ...(item && { Map: { Item: itemOf(item) } }),
  };
}

/** "Contextual data for Map states" */
const itemOf = ({ index, value, key, source }: MapItem): JsonObject => ({
  Index: index,
  Value: value,
  ...(key !== undefined && { Key: key }),
  ...(source !== undefined && { Source: source }),
});
