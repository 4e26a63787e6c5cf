import type { Resource } from './template/template';

/**
 * Finds a resource by a name that people use: its construct's name, its logical id or a unique start of that, its
 * physical name.
 */
export function findByName(resources: readonly Resource[], name: string): Resource | undefined {
  const exactly = resources.find(({ logicalId, name: own, ref }) => [logicalId, own, ref].includes(name));
  if (exactly || !name) return exactly;
  const starting = resources.filter(({ logicalId }) => logicalId.startsWith(name));
  return starting.length === 1 ? starting[0] : undefined;
}
