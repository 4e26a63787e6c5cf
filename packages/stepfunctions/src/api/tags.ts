import type { Engine } from '../engine/engine';
import type { JsonObject } from '../language/json';
import { ApiError, validationFailed } from './api-error';
import { type Action, requiredArn, tagsOf } from './request';

/** Something that can be tagged, and how the change is kept. */
function tagged(
  engine: Engine,
  arn: string,
): { tags: Record<string, string>; save(tags: Record<string, string>): void } {
  const machine = engine.catalogue.machines.get(arn);
  const activity = engine.catalogue.activities.get(arn);
  if (machine) {
    return { tags: machine.tags, save: (tags) => engine.catalogue.saveMachine({ ...machine, tags }) };
  }
  if (activity) return { tags: activity.tags, save: (tags) => engine.catalogue.saveActivity({ ...activity, tags }) };
  throw new ApiError('ResourceNotFound', `Resource not found: '${arn}'`);
}

function checkGiven(body: JsonObject, name: string): void {
  if (Array.isArray(body[name])) return;
  throw validationFailed(
    `1 validation error detected: Value null at '${name}' failed to satisfy constraint: Member must not be null`,
  );
}

const kinds = 'stateMachine|activity';

const tagResource: Action = async (engine, body) => {
  const { tags, save } = tagged(engine, requiredArn(body, 'resourceArn', kinds));
  checkGiven(body, 'tags');
  save(tagsOf(body.tags, tags));
  await engine.committed();
  return {};
};

const untagResource: Action = async (engine, body) => {
  const { tags, save } = tagged(engine, requiredArn(body, 'resourceArn', kinds));
  checkGiven(body, 'tagKeys');
  const gone = new Set(Array.isArray(body.tagKeys) ? body.tagKeys : []);
  save(Object.fromEntries(Object.entries(tags).filter(([key]) => !gone.has(key))));
  await engine.committed();
  return {};
};

const listTagsForResource: Action = async (engine, body) => {
  const { tags } = tagged(engine, requiredArn(body, 'resourceArn', kinds));
  return { tags: Object.entries(tags).map(([key, value]) => ({ key, value })) };
};

export const tagActions: Record<string, Action> = {
  TagResource: tagResource,
  UntagResource: untagResource,
  ListTagsForResource: listTagsForResource,
};
