import { createHash } from 'node:crypto';
import type { Credentials } from '../lambda/environment';
import type { Resource } from '../template/template';
import type { Principal } from './iam';

/**
 * Who calls. Each function has an access key of its own, and its role's rights with it; every other key (`test`, a
 * developer's profile) is the account's administrator, who may do anything.
 */
export interface Principals {
  credentialsOf(lambda: Resource): Credentials;
  /** The function's role; undefined for the administrator. */
  principalOf(accessKeyId: string): Principal | undefined;
  roleOf(lambda: Resource): Principal;
}

export function openPrincipals(functions: readonly Resource[]): Principals {
  const byKey = new Map(functions.map((lambda) => [accessKeyId(lambda), roleOf(lambda)]));
  return {
    // Signatures are not verified, so the secret is none.
    credentialsOf: (lambda) => ({ accessKeyId: accessKeyId(lambda), secretAccessKey: 'local' }),
    principalOf: (key) => byKey.get(key),
    roleOf,
  };
}

function roleOf(lambda: Resource): Principal {
  return { roleArn: String(lambda.properties.Role), session: lambda.ref };
}

/** The shape of AWS's keys, since DynamoDB Local takes no other. */
function accessKeyId({ ref }: Resource): string {
  return `ASIA${createHash('sha256').update(ref).digest('hex').slice(0, 16).toUpperCase()}`;
}
