import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../infra/bundling/entries';

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
/** What is installed from a registry: neither this repository nor its workspaces. */
const lock = Object.entries(read('package-lock.json').packages as Record<string, Locked>).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && !link,
);

interface Locked {
  version: string;
  resolved?: string;
  integrity?: string;
  inBundle?: boolean;
  /** A workspace. */
  link?: boolean;
}

/** The registry where the lock file was written lacks them (CONTRIBUTING.md). */
const withoutIntegrity = /@dynoxide\//;

test('every dependency has one version, and npm checks its content', () => {
  const ranges = ['package.json', 'packages/client/package.json', 'packages/stepfunctions/package.json']
    .map(read)
    .flatMap((manifest) => {
      const { dependencies, devDependencies, optionalDependencies } = manifest;
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    });
  expect(ranges.filter(([, version]) => !/^(?:npm:@?[\w/.-]+@)?\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  const unchecked = lock.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'));
  expect(unchecked.map(([path]) => path).filter((path) => !withoutIntegrity.test(path))).toEqual([]);
  expect(unchecked.length).toBeLessThanOrEqual(4);
});

test('no package comes from elsewhere than the registry of whoever installs', () => {
  expect(lock.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
});
