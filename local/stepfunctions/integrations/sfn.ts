import { randomUUID } from 'node:crypto';
import { ApiError } from '../api/api-error';
import type { Action } from '../api/request';
import type { Engine } from '../engine/engine';
import { isObject, type Json, type JsonObject } from '../language/json';
import { dated } from './dates';
import { type Integration, TaskError } from './integration';
import { jsonTexts } from './json-texts';

/** `states:::aws-sdk:sfn:…`: the engine's own API. Field names are capitalised on this way, and not on the wire. */
export function sfnService(engine: Engine, actions: Readonly<Record<string, Action>>): Integration {
  return {
    async call({ resource, parameters }) {
      const name = resource.action[0]!.toUpperCase() + resource.action.slice(1);
      const action = actions[name];
      if (action === undefined) throw new TaskError('States.Runtime', `This engine does not know the action ${name}`);
      try {
        const body = jsonTexts('sfn', isObject(parameters) ? parameters : {});
        return dated(renamed(await action(engine, renamed(body, lower) as JsonObject), upper));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const type = error.type.endsWith('Exception') ? error.type : `${error.type}Exception`;
        throw new TaskError(
          `Sfn.${type}`,
          `${error.message} (Service: Sfn, Status Code: ${error.status}, Request ID: ${randomUUID()}) (SDK Attempt Count: 1)`,
        );
      }
    },
  };
}

const lower = (name: string) => name[0]!.toLowerCase() + name.slice(1);
const upper = (name: string) => name[0]!.toUpperCase() + name.slice(1);

function renamed(value: Json, rename: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), renamed(each, rename)]));
}
