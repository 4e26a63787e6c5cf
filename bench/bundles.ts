import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { synthesize } from '../infra/synth';
import { type Figure, inScratch, median, run, times } from './measure';

/** Kilobytes and, for what people wait for, milliseconds on Node 20. */
const bars: Record<string, { kilobytes: number; loadMs?: number }> = {
  CallModel: { kilobytes: 650, loadMs: 60 },
  Api: { kilobytes: 650 },
  ScrapeWebsite: { kilobytes: 700 },
  RunCode: { kilobytes: 1_300 },
};
const otherBar = { kilobytes: 500, loadMs: undefined };
const loads = 5;

/** Prints how long a fresh process takes to load the bundle that is its argument: what a cold start adds to Lambda's own. */
const load =
  'const t=performance.now();require(process.argv[1]);process.stdout.write(String(performance.now()-t));process.exit()';

/** Size and load time of each function's bundle, as it is deployed. */
export async function bundlesBench(): Promise<Figure[]> {
  return inScratch(async (folder) => {
    const { assembly, template } = await synthesize(join(folder, 'assembly'));
    const env = await variables(template);
    const figures: Figure[] = [];
    for (const name of (await readdir(join(assembly, 'bundles'))).sort()) {
      const file = join(assembly, 'bundles', name, 'index.js');
      const { kilobytes, loadMs } = bars[name] ?? otherBar;
      const loaded = await times(loads, async () =>
        Number((await run([process.execPath, '-e', load, file], { env })).output),
      );
      figures.push({
        key: `${name}KB`,
        name: `${name}, bundle`,
        value: (await stat(file)).size / 1000,
        unit: 'KB',
        bar: kilobytes,
      });
      figures.push({
        key: `${name}LoadMs`,
        name: `${name}, load`,
        value: median(loaded),
        unit: 'ms',
        bar: loadMs,
        note: `median of ${loads}`,
      });
    }
    return figures;
  });
}

/** Whatever a function reads from its environment as it is loaded is there. */
async function variables(template: string): Promise<Record<string, string>> {
  const { Resources } = JSON.parse(await readFile(template, 'utf8')) as {
    Resources: Record<string, { Properties?: { Environment?: { Variables?: object } } }>;
  };
  const declared = Object.values(Resources).flatMap(({ Properties }) =>
    Object.entries(Properties?.Environment?.Variables ?? {}),
  );
  const aws = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' };
  return {
    ...Object.fromEntries(declared.map(([name, value]) => [name, value === '' ? '' : 'bench'])),
    ...aws,
    NODE_NO_WARNINGS: '1',
  };
}
