import type { Activity } from '../engine/activities';
import type { Engine } from '../engine/engine';

import { type JsonObject, jsonText } from '../language/json';
import { ApiError } from './api-error';
import { type Action, checkName, optionalText, page, requiredArn, requiredText, seconds, tagsOf } from './request';

/** "the service holds the HTTP connection open … 60 seconds" */
const longPoll = 60_000;

function findActivity(engine: Engine, arn: string): Activity {
  const activity = engine.catalogue.activities.get(arn);
  if (activity === undefined) throw new ApiError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`);
  return activity;
}

const createActivity: Action = async (engine, body) => {
  const name = checkName(requiredText(body, 'name'));
  const arn = `arn:aws:states:${engine.options.region}:${engine.options.accountId}:activity:${name}`;
  let activity = engine.catalogue.activities.get(arn);
  if (activity === undefined) {
    activity = { arn, name, creationDate: engine.clock.now(), tags: tagsOf(body.tags) };
    engine.catalogue.saveActivity(activity);
    await engine.committed();
  }
  return { activityArn: arn, creationDate: seconds(activity.creationDate) };
};

const describe = ({ arn, name, creationDate }: Activity) => ({
  activityArn: arn,
  name,
  creationDate: seconds(creationDate),
});

const describeActivity: Action = async (engine, body) =>
  describe(findActivity(engine, requiredArn(body, 'activityArn', 'activity')));

const listActivities: Action = async (engine, body) => {
  const { items, nextToken } = page([...engine.catalogue.activities.values()], body, ({ creationDate, name }) => [
    creationDate,
    name,
  ]);
  return { activities: items.map(describe), ...(nextToken !== undefined && { nextToken }) };
};

const deleteActivity: Action = async (engine, body) => {
  const arn = requiredArn(body, 'activityArn', 'activity');
  if (engine.catalogue.activities.has(arn)) engine.catalogue.removeActivity(arn);
  await engine.committed();
  return {};
};

const nothing: JsonObject = {};
const answer = (taskToken: string, input: string): JsonObject => ({ taskToken, input });

/** Gives the next task to a worker, or an empty answer after a minute. */
const getActivityTask: Action = async (engine, body, signal) => {
  const { arn } = findActivity(engine, requiredArn(body, 'activityArn', 'activity'));
  const worker = optionalText(body, 'workerName');
  for (;;) {
    const found = await engine.queues.take(arn, longPoll, signal);
    if (found === undefined) return nothing;
    const { entry, effect } = found;
    const taken = await new Promise((resolve) =>
      engine.executions.tell(
        entry,
        { kind: 'started', task: effect.task, ...(worker !== undefined && { worker }) },
        resolve,
      ),
    );
    // Its execution may have ended, or the task timed out, while it lay in the queue.
    if (taken === true) return answer(effect.request.token, jsonText(effect.request.parameters));
  }
};

export const activityActions: Record<string, Action> = {
  CreateActivity: createActivity,
  DescribeActivity: describeActivity,
  ListActivities: listActivities,
  DeleteActivity: deleteActivity,
  GetActivityTask: getActivityTask,
};
