import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled';

interface Component {
  purl?: string;
  properties?: { name: string; value: string }[];
}

export interface Sbom {
  bomFormat: string;
  components: Component[];
}

/** The property that says where a package is bundled. */
const bundledIn = 'vigil:bundled-in';

/**
 * Returns npm's list of all installed packages in the format CycloneDX, with the page's, which are development
 * dependencies. Those that are bundled say where.
 *
 * @throws Error in one line if a production dependency or a bundled package is missing.
 */
export function sbomOf(root: string, bundled: BundledPackage[]): Sbom {
  const answer = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--include', 'dev'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const sbom = JSON.parse(answer) as Sbom;
  if (sbom.bomFormat !== 'CycloneDX') throw new Error(`npm sbom answered in the format ${sbom.bomFormat}.`);
  const components = new Map(sbom.components.map((one) => [one.purl?.replace(/\?.*/, ''), one]));
  const find = (name: string, version: string): Component => {
    const found = components.get(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    if (found) return found;
    throw new Error(`The list of npm sbom lacks ${name} ${version}. Run npm ci, then try again.`);
  };
  for (const [name, version] of Object.entries(productionDependencies(root))) find(name, version);
  for (const one of bundled) {
    const component = find(one.name, one.version);
    component.properties = [...(component.properties ?? []), { name: bundledIn, value: one.in.join(', ') }];
  }
  return sbom;
}

const productionDependencies = (root: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies;
