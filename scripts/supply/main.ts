import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../infra/bundling/entries';
import { audit } from './audit';
import type { BundledPackage } from './bundled';
import { drawn, notAllowed } from './licences';
import { sbomOf } from './sbom';

// `npx tsx scripts/supply/main.ts <command>`: what Vigil is made of.

const licencesFile = join(root, 'docs/licences.md');
/** For `.ci/run`. */
const notRun = 3;

/** Loaded when it is needed, because it loads all agents and their tools. */
const bundledPackages = async (): Promise<BundledPackage[]> => (await import('./bundled')).bundledPackages();

const commands: Record<string, (argument?: string) => Promise<number>> = {
  /** Draws docs/licences.md. With `--check`, compares it instead. */
  async licences(option) {
    const packages = await bundledPackages();
    const problems = notAllowed(packages);
    if (option !== '--check') writeFileSync(licencesFile, drawn(packages));
    else if (readFileSync(licencesFile, 'utf8') !== drawn(packages))
      problems.push('docs/licences.md differs from the bundles: run npx tsx scripts/supply/main.ts licences.');
    for (const line of problems) console.log(line);
    return problems.length ? 1 : 0;
  },
  async sbom(file = 'sbom.cdx.json') {
    const bundled = await bundledPackages();
    const { components } = writeJson(file, sbomOf(root, bundled));
    console.log(`${file}: ${components.length} packages; ${bundled.length} of them are bundled.`);
    return 0;
  },
  async audit() {
    const { verdict, words } = await audit(root);
    console.log(`The audit ${verdict === 'not run' ? 'did not run' : verdict}: ${words}`);
    return { passed: 0, failed: 1, 'not run': notRun }[verdict];
  },
};

function writeJson<Value>(file: string, value: Value): Value {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  return JSON.parse(readFileSync(file, 'utf8')) as Value;
}

async function main([name = '', argument]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command(argument);
  console.error(`npx tsx scripts/supply/main.ts <command>: the commands are ${Object.keys(commands).join(', ')}.`);
  return 2;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
