// biome-ignore lint/style/useNodejsImportProtocol: the name that the bundle does not replace.
import type { UUID } from 'crypto';
import { randomOf } from './random';

/**
 * Stands in for `node:crypto` in the exploration's bundle: ids decide the order of rows, so a schedule is the same again only if its ids are.
 */
// biome-ignore lint/style/useNodejsImportProtocol: the name that the bundle does not replace.
export * from 'crypto';

let { next } = randomOf(0);

/** Begins the ids of a schedule. */
export const seedIds = (seed: number): void => {
  next = randomOf(seed).next;
};

export function randomBytes(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, () => next() * 256));
}

export function randomUUID(): UUID {
  return randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as UUID;
}
