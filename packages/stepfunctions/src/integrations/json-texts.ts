import { isObject, type Json, type JsonObject, jsonText } from '../language/json';

/** Parameters of `aws-sdk:` integrations that are text in the service's API, and may be given as JSON. */
const texts: Record<string, readonly string[]> = {
  events: ['Detail'],
  secretsmanager: ['SecretString'],
  sfn: ['Cause', 'Definition', 'Input', 'Output'],
  sns: ['Message'],
  sqs: ['MessageBody'],
};

/** The parameters with text for the JSON in such fields, wherever they stand. */
export function jsonTexts(service: string, parameters: JsonObject): JsonObject {
  const names = texts[service];
  return names === undefined ? parameters : (written(parameters, names) as JsonObject);
}

function written(value: Json, names: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((each) => written(each, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      names.includes(name) && each !== null && typeof each !== 'string' ? jsonText(each) : written(each, names),
    ]),
  );
}
