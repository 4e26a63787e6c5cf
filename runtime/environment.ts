import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TraceScope } from '../core/base/state/trace';
import { ConfigurationError } from '../core/base/text/errors';
import type { Table } from '../core/conversations/store/table';

/** @throws ConfigurationError naming the variable, which the stack sets. */
export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new ConfigurationError(`The environment variable ${name} is not set on this function.`);
  return value;
}

/** A variable that a deployment may leave empty. */
export const optionalVariable = (name: string, env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env[name] || undefined;

/** @throws ConfigurationError if the value is not a whole number of at least 1. */
export function optionalCount(name: string, env?: NodeJS.ProcessEnv): number | undefined {
  const value = optionalVariable(name, env);
  if (value === undefined) return undefined;
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new ConfigurationError(`${name} is "${value}": it must be a whole number of at least 1.`);
}

/** What one trace has; undefined in deployments that export none. */
export const traceScope = (): TraceScope | undefined => TraceScope.optional().parse(optionalVariable('VIGIL_TRACES'));

/** Opens a table of this deployment. Call it once per process, because the client keeps its connections. */
export function tableOfDeployment(nameVariable = 'TABLE_NAME'): Table {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return { client, name: variable(nameVariable) };
}
