import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { App } from 'aws-cdk-lib';
import { shipped } from '../../agents';
import { defineAgent } from '../../core/conversations/agent/agent';
import { type Registry, registry } from '../../core/conversations/agent/registry';
import { entries } from '../../infra/bundling/entries';
import { quickly } from '../../infra/synth';
import { VigilStack } from '../../infra/vigil-app';
import { type BudgetName, bundleBudget, type Counted } from './budgets';
import { root } from './measure';

/** An app as small as there is one. */
const hello = defineAgent({
  name: 'hello',
  purpose: 'Says hello.',
  instructions: 'Say hello.',
  model: 'gpt-6-luna',
  tools: [],
});

/** Counts the resources and functions of the shipped stack, and of the smallest. The bundles are empty: nothing runs. */
export function countedStacks(folder: string): Counted {
  const [all, smallest] = [stackOf(join(folder, 'all'), shipped), stackOf(join(folder, 'one'), registry([hello]))];
  return {
    'stack.shipped.resources': all.resources,
    'stack.shipped.functions': all.functions,
    'stack.smallest.resources': smallest.resources,
    'stack.smallest.functions': smallest.functions,
  };
}

function stackOf(folder: string, agents: Registry) {
  const bundles = join(folder, 'bundles');
  for (const { id } of entries(agents)) {
    mkdirSync(join(bundles, id), { recursive: true });
    writeFileSync(join(bundles, id, 'index.js'), '');
  }
  const app = new App({ outdir: join(folder, 'assembly'), ...quickly });
  const stack = new VigilStack(app, 'Vigil', { agents: { agents, bundles } });
  const { Resources } = app.synth().getStackArtifact(stack.artifactId).template as {
    Resources: Record<string, { Type: string }>;
  };
  const types = Object.values(Resources).map(({ Type }) => Type);
  return { resources: types.length, functions: types.filter((type) => type === 'AWS::Lambda::Function').length };
}

/** Counts the kilobytes of each function's bundle; of those without a budget of their own, those of the largest. */
export function countedBundles(bundles: string): Counted {
  const counted: Counted = {};
  for (const id of readdirSync(bundles)) {
    const name = bundleBudget(id);
    const kilobytes = statSync(join(bundles, id, 'index.js')).size / 1_000;
    counted[name] = Math.max(counted[name] ?? 0, kilobytes);
  }
  return counted;
}

/** Counts the packages of an installation by the lock file, and their megabytes. Binaries of one platform are optional, and have other sizes elsewhere. */
export function countedPackages(): Record<'install.packages', number> {
  return { 'install.packages': packagesOf().length };
}

export function countedMegabytes(): Record<'install.megabytes', number> {
  const folders = packagesOf().flatMap(([path, { optional }]) => (optional ? [] : [join(root, path)]));
  return { 'install.megabytes': folders.reduce((sum, folder) => sum + bytesIn(folder), 0) / 1e6 };
}

interface Locked {
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
}

const packagesOf = (): [string, Locked][] => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(packages).filter(
    ([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link,
  );
};

/** Packages within a package are in the lock file, too. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + bytesIn(path);
    return sum + lstatSync(path).size;
  }, 0);

/** Counts the kilobytes that a browser loads before a conversation opens, compressed, without the font: the document, and what it names. */
export function countedPage(folder: string): Record<Extract<BudgetName, 'page.kilobytes'>, number> {
  const document = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...document.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(([, file]) => file!);
  const bytes = ['index.html', ...named].map((file) => gzipSync(readFileSync(join(folder, file))).length);
  return { 'page.kilobytes': bytes.reduce((sum, size) => sum + size, 0) / 1_000 };
}
