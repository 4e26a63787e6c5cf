import { createHash, createHmac } from 'node:crypto';
import type { Credentials } from '../lambda/environment';
import type { Resource } from '../template/template';
import type { Principal } from './iam';

/**
 * The callers. Each function has its own access key with its role's rights. Any other key (`test`, a developer's
 * profile) belongs to the account's administrator, who may do anything.
 */
export interface Principals {
  credentialsOf(lambda: Resource): Credentials;
  /** Returns the secret of a function's key. */
  secretOf(accessKeyId: string): string | undefined;
  /** Returns the function's role, or undefined for the administrator. */
  principalOf(accessKeyId: string): Principal | undefined;
  roleOf(lambda: Resource): Principal;
}

/** @param secret from which the functions' keys derive, so that what they signed is valid after a restart. */
export function openPrincipals(functions: readonly Resource[], secret: string): Principals {
  const byKey = new Map(functions.map((lambda) => [accessKeyId(lambda), roleOf(lambda)]));
  // As long as AWS's, and ASCII.
  const secretOf = (key: string) => createHmac('sha256', secret).update(key).digest('base64').slice(0, 40);
  return {
    credentialsOf: (lambda) => ({
      accessKeyId: accessKeyId(lambda),
      secretAccessKey: secretOf(accessKeyId(lambda)),
    }),
    secretOf: (key) => (byKey.has(key) ? secretOf(key) : undefined),
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
