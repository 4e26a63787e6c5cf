import { createECDH, hkdfSync } from 'node:crypto';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secret } from '../../runtime/secret';

/** The deployment's keys at push services (VAPID, RFC 8292), in base64url. Browsers subscribe with the public key. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** The order of the curve P-256. */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
/** 64 bits more than the order has, so that the remainder is not biased (FIPS 186-5, A.2.1). */
const seedBytes = 40;

/**
 * Derives the keys from the stack's secret. So they exist from the first moment, all functions have the same, and there is nothing to
 * store under a condition.
 */
export function pushKeysOf(secretText: string): PushKeys {
  const seed = Buffer.from(hkdfSync('sha256', secretText, '', 'vigil push keys', seedBytes)).toString('hex');
  const scalar = (BigInt(`0x${seed}`) % (order - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey);
  return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/** Returns the keys of this deployment. */
export function pushKeysOfDeployment(client: SecretsManagerClient): () => Promise<PushKeys> {
  const { get } = secret(client, 'PUSH_KEY_SECRET_ARN', 'the key for push services');
  return async () => pushKeysOf(await get());
}
