import { isObject, type JsonObject } from '../language/json';
import type { TaskResource } from '../states/task-resource';
import type { Report } from './validate';

/** "Parameter names will be Pascal case", also where the service's API begins them with a small letter. */
export function checkSdkParameters(report: Report, { service }: TaskResource, state: JsonObject, at: string): void {
  if (!service.startsWith('aws-sdk:')) return;
  for (const field of ['Parameters', 'Arguments']) {
    const parameters = state[field];
    const names = isObject(parameters) ? Object.keys(parameters).map((name) => name.replace(/\.\$$/, '')) : [];
    for (const name of names.filter((each) => /^[a-z]/.test(each)))
      report(`The field "${name}" is not supported by Step Functions`, `${at}/${field}`);
  }
}
