import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendJson } from '../app/http-server';
import { variableOf } from '../template/secret-variable';
import type { Resource } from '../template/template';
import type { ServiceHandler } from './aws-endpoint';
import { operationOf, readAwsJson } from './aws-endpoint';
import { AwsError } from './aws-error';

/**
 * Secrets Manager for the template's secrets. A value comes from the variable that the secret's tag names, or the last
 * part of its name (`vigil/OPENAI_API_KEY` ← OPENAI_API_KEY), so third-party keys are never written to the state directory. A secret
 * that the template generates is created once and kept there, readable by its owner only.
 */
export interface SecretsOptions {
  secrets: () => readonly Resource[];
  variables: () => Readonly<Record<string, string>>;
  stateDirectory: string;
  /** Throws if the caller may not perform `action` on this secret. */
  authorize: (accessKeyId: string, action: string, secretArn: string) => void;
}

const bodyLimit = 100_000;
const versionId = '00000000-0000-0000-0000-000000000000';

export function secretsHandler({ secrets, variables, stateDirectory, authorize }: SecretsOptions): ServiceHandler {
  const operations: Readonly<Record<string, (secret: Resource) => object>> = {
    GetSecretValue: (secret) => ({ ...identify(secret), ...version, SecretString: secretString(secret) }),
    DescribeSecret: (secret) => ({ ...identify(secret), VersionIdsToStages: { [versionId]: ['AWSCURRENT'] } }),
  };

  return async (request, response, { accessKeyId }) => {
    const operation = operationOf(request);
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    const known = Object.keys(operations).join(' and ');
    if (!run)
      throw new AwsError('UnknownOperationException', `The local Secrets Manager serves ${known}, not ${operation}.`);
    const { SecretId } = await readAwsJson(request, bodyLimit);
    const secret = secrets().find(
      (one) => one.ref === SecretId || nameOf(one) === SecretId || partialArn(one) === SecretId,
    );
    if (!secret) throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    authorize(accessKeyId, `secretsmanager:${operation}`, secret.ref);
    sendJson(response, 200, run(secret), { 'content-type': 'application/x-amz-json-1.1' });
  };

  function secretString(secret: Resource): string {
    const variable = variableOf(secret);
    const value = variables()[variable];
    if (value) return value;
    if (secret.properties.GenerateSecretString) return generatedSecret(stateDirectory, nameOf(secret));
    throw new AwsError(
      'ResourceNotFoundException',
      `The secret ${nameOf(secret)} has no value: set the variable ${variable} and start again.`,
    );
  }
}

/**
 * Returns a random value that is the same after a restart. Each secret has its own file, so concurrent requests do not overwrite one another. The file is renamed into place, so
 * it is complete or missing after a crash.
 */
export function generatedSecret(stateDirectory: string, name: string): string {
  const folder = join(stateDirectory, 'generated-secrets');
  const file = join(folder, createHash('sha256').update(name).digest('hex'));
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.new`, randomBytes(48).toString('base64url'), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8');
}

const version = { VersionId: versionId, VersionStages: ['AWSCURRENT'] };

function identify(secret: Resource): { ARN: string; Name: string } {
  return { ARN: secret.ref, Name: nameOf(secret) };
}

function nameOf(secret: Resource): string {
  return partialArn(secret).split(':').at(-1) ?? '';
}

/** AWS also finds a secret without the six characters that it appends to the name. */
function partialArn(secret: Resource): string {
  return secret.ref.replace(/-.{6}$/, '');
}
