import { createHash } from 'node:crypto';
import type { Credentials } from '../lambda/environment';
import type { Resource } from '../template/template';
import type { Principal } from './iam';

/**
 * The callers. Each function has its own access key with its role's rights. Any other key (`test`, a developer's
 * profile) belongs to the account's administrator, who may do anything.
 */
export interface Principals {
  credentialsOf(lambda: Resource): Credentials;
  /** Returns the function's role, or undefined for the administrator. */
  principalOf(accessKeyId: string): Principal | undefined;
  roleOf(lambda: Resource): Principal;
}

export function openPrincipals(functions: readonly Resource[]): Principals {
  const byKey = new Map(functions.map((lambda) => [accessKeyId(lambda), roleOf(lambda)]));
  return {
    // Signatures are not verified, so the secret is arbitrary.
    credentialsOf: (lambda) => ({ accessKeyId: accessKeyId(lambda), secretAccessKey: 'local' }),
    principalOf: (key) => byKey.get(key),
    roleOf,
  };
}

function roleOf(lambda: Resource): Principal {
  return { roleArn: String(lambda.properties.Role), session: lambda.ref };
}

/** Has the form of AWS's keys, because DynamoDB Local accepts no other. */
function accessKeyId({ ref }: Resource): string {
  return `ASIA${createHash('sha256').update(ref).digest('hex').slice(0, 16).toUpperCase()}`;
}
