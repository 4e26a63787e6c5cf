import { isObject, type Json, type JsonObject } from '../language/json';
import { isQuery } from '../language/jsonata/jsonata-template';
import type { Report } from './validate';

const words = (text: string): string[] => text.split(' ');

/** Types of a state's fields that no other check covers. */
const fieldsOf: Record<string, readonly string[]> = {
  STRING: words(
    'Comment Next Default Resource ItemsPath SecondsPath TimestampPath TimeoutSecondsPath HeartbeatSecondsPath Timestamp ' +
      'Error Cause ErrorPath CausePath Label InputPath OutputPath ResultPath MaxConcurrencyPath ToleratedFailureCountPath ' +
      'ToleratedFailurePercentagePath',
  ),
  BOOLEAN: ['End'],
  ARRAY: ['Choices', 'Branches'],
  OBJECT: words('ItemProcessor Iterator ItemReader ItemBatcher ResultWriter Credentials'),
};

/** In JSONata the whole object may be an expression. */
const computed = new Set(['Credentials']);
/** "null" discards the input, the output or the result. */
const nullable = new Set(['InputPath', 'OutputPath', 'ResultPath']);

const fits: Record<string, (value: Json) => boolean> = {
  STRING: (value) => typeof value === 'string',
  BOOLEAN: (value) => typeof value === 'boolean',
  ARRAY: (value) => Array.isArray(value),
  OBJECT: isObject,
};

/** Reports a text that is none. */
export function checkText(report: Report, fields: JsonObject, field: string, at: string): void {
  if (fields[field] !== undefined && typeof fields[field] !== 'string')
    report('Expected value of type [STRING]', `${at}/${field}`);
}

/** Reports each field of another type than it must have. */
export function checkTypes(report: Report, state: JsonObject, at: string): void {
  for (const [type, fields] of Object.entries(fieldsOf)) {
    for (const field of fields) {
      const value = state[field];
      if (value === undefined || fits[type]!(value) || (value === null && nullable.has(field))) continue;
      if (typeof value === 'string' && computed.has(field) && isQuery(value)) continue;
      report(`Expected value of type [${type}]`, `${at}/${field}`);
    }
  }
}
