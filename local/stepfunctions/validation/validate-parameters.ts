import { isObject, type JsonObject } from '../language/json';
import { isSupported } from '../states/task/task-parameters';
import type { TaskResource } from '../states/task/task-resource';
import type { Report } from './validate';

/** Names of parameters are checked when the machine is created, values when the task starts (`task-parameters.ts`). */
export function checkParameterNames(report: Report, resource: TaskResource, state: JsonObject, at: string): void {
  for (const field of ['Parameters', 'Arguments']) {
    const parameters = state[field];
    const names = isObject(parameters) ? Object.keys(parameters).map((name) => name.replace(/\.\$$/, '')) : [];
    for (const name of names.filter((each) => !isSupported(resource, each)))
      report(`The field "${name}" is not supported by Step Functions`, `${at}/${field}`);
  }
}
