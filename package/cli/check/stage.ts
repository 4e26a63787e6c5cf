import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localCloud } from '../../../local/reconcile';

/** The table of a stage, and how it is reached. */
export interface Stage {
  table: string;
  settings: DynamoDBClientConfig;
  /** The stack of the local cloud. */
  stack?: string;
}

/**
 * Returns the stage of a table on AWS, or without one the local cloud that runs on this machine.
 *
 * @throws Error in one line if there is none.
 */
export async function stageOf(table: string | undefined): Promise<Stage> {
  if (table === '') throw new Error('--table is empty: name the output TableName of the stack.');
  if (table !== undefined) return { table, settings: {} };
  const { outputs, stack, ...settings } = await localCloud('name the table of a stage on AWS with --table');
  return { table: outputs.TableName!, stack, settings };
}

/** Opens a client that reads numbers of any size: a tool's own rows may have some, and are not checked. */
export const clientOf = (settings: DynamoDBClientConfig): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 10, ...settings }), {
    unmarshallOptions: { wrapNumbers: Number },
  });

/** Returns what AWS has refused, in one line with what to do; undefined for other errors. */
export function refusalOf(error: unknown, table: string): string | undefined {
  const { name, message = '', code } = error as Error & { code?: string };
  if (name === 'ResourceNotFoundException')
    return `There is no table ${table} in this account and region: check --table and AWS_REGION.`;
  if (/^AccessDenied/.test(name))
    return `You may not read the table ${table}: allow dynamodb:Scan and dynamodb:Query on it and its indexes.`;
  if (/Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|SlowDown/.test(name))
    return `AWS throttles the reads of the table ${table}: use fewer units in a second with --units.`;
  if (name === 'CredentialsProviderError' || /Token|Credentials|Signature|UnrecognizedClient/.test(name))
    return `AWS does not know who you are (${name}): sign in, for example with aws sso login.`;
  if (/^Region is missing/.test(message)) return 'AWS_REGION is not set: name the region of the stage.';
  if (name === 'ValidationException')
    return `The table ${table} is none of Vigil: it lacks the keys or the indexes that a stack creates.`;
  if (code ?? /Timeout|Networking/.test(name)) return `AWS does not answer for the table ${table} (${code ?? name}).`;
  return undefined;
}
