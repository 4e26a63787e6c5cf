import type { TaskResource } from '../../execution/task-resource';
import { memberKey, type Shape } from './result-shape';
import { answerOf } from './service-model';

/** Names of the services' clients, for integrations with another name. */
const services: Record<string, string> = { events: 'eventbridge', states: 'sfn' };

/** Fields of an optimised integration that are JSON, where the service's API has text. */
const parsed: Record<string, string[]> = {
  'lambda:invoke': ['Payload'],
  'states:startExecution': ['StartDate'],
  'states:startExecution.sync': ['StartDate', 'StopDate', 'RedriveDate'],
  'states:startExecution.sync:2': ['Input', 'Output', 'StartDate', 'StopDate', 'RedriveDate'],
};

/** The API model of what a task's call answers; undefined for what has none here, or none at all: functions, activities. */
export async function resultModel(resource: TaskResource): Promise<Shape | undefined> {
  const { kind, action, pattern } = resource;
  // Its result is whatever the token's holder sends.
  if (kind !== 'service' || pattern === '.waitForTaskToken') return undefined;
  const name = resource.service.replace(/^aws-sdk:/, '');
  const service = services[name] ?? name;
  const operation = pattern === '' ? action[0]!.toUpperCase() + action.slice(1) : jobs[`${name}:${action}`];
  if (operation === undefined) return undefined;
  const model = await answerOf(service, operation);
  const loose = (parsed[`${resource.service}:${action}${pattern}`] ?? []).map(memberKey);
  return model?.kind === 'structure' && loose.length > 0
    ? {
        ...model,
        member: (field) => (loose.includes(memberKey(field)) ? { kind: 'any' } : model.member(field)),
      }
    : model;
}

/** `.sync` gives what describes the job. */
const jobs: Record<string, string> = { 'states:startExecution': 'DescribeExecution' };
