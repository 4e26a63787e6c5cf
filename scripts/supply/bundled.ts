import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '../../agents';
import { bundle } from '../../infra/bundling/bundle';
import { entries, root, shippedSources, withProviders } from '../../infra/bundling/entries';

/** A package of which code, styles or fonts are in what is deployed. */
export interface BundledPackage {
  name: string;
  version: string;
  /** An SPDX expression, as the package says. Empty if it says none. */
  license: string;
  in: ('functions' | 'page')[];
}

/** Builds the functions and the page as a deployment does, and returns the packages that are in them, by name. */
export async function bundledPackages(): Promise<BundledPackage[]> {
  const found = new Map<string, BundledPackage>();
  const add = (place: 'functions' | 'page', files: Iterable<string>) => {
    for (const folder of new Set([...files].flatMap(packageFolderOf))) {
      const one = found.get(folder) ?? { ...readPackage(folder), in: [] };
      found.set(folder, { ...one, in: [...one.in, place] });
    }
  };
  add('functions', await inFunctions());
  add('page', await inPage());
  return [...found.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

async function inFunctions(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-bundled-'));
  try {
    const { outputs } = await bundle(entries(shipped), folder, withProviders(shippedSources, shipped));
    return Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function inPage(): Promise<string[]> {
  const { build } = await import('vite');
  // Under another one, for example Jest's, Vite takes React's development build.
  process.env.NODE_ENV = 'production';
  const configFile = join(root, 'web/vite.config.mts');
  const built = await build({ configFile, logLevel: 'silent', mode: 'production', build: { write: false } });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const files = outputs.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : one.originalFileNames));
  // Vite does not say which files a style sheet imports.
  const styles = readFileSync(join(root, 'web/src/style.css'), 'utf8');
  const imported = [...styles.matchAll(/@import "([^"]+)"/g)].map(([, name]) => `node_modules/${name}/`);
  return [...files, ...imported];
}

/** Returns the innermost package's folder, relative to the root; none for Vigil's own files. */
function packageFolderOf(file: string): string[] {
  const path = file.slice(Math.max(0, file.indexOf('node_modules/')));
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [];
}

function readPackage(folder: string): Omit<BundledPackage, 'in'> {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return { name, version, license: typeof license === 'string' ? license : licenseOfFile(folder) };
}

/** Some packages have the licence's text and do not name it. */
function licenseOfFile(folder: string): string {
  const file = join(root, folder, 'LICENSE');
  return existsSync(file) && readFileSync(file, 'utf8').startsWith('MIT License\n') ? 'MIT' : '';
}
