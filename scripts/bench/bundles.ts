import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { functionVariables } from '../../infra/bundling/function-variables';
import { synthesize } from '../../infra/synth';
import { budgets, bundleBudget } from './budgets';
import { type Figure, inScratch, median, run, times } from './measure';

/** The limits of functions that users wait for, in milliseconds on Node 20. Those of sizes are in `budgets.ts`. */
const loadBars: Record<string, number> = { CallModel: 60 };
const loads = 5;

/**
 * Prints how long a fresh process takes to load the bundle in its argument. A cold start adds this to Lambda's own
 * start.
 */
const load =
  'const t=performance.now();require(process.argv[1]);process.stdout.write(String(performance.now()-t));process.exit()';

/** Measures the size and the load time of each function's bundle, as deployed. */
export async function bundlesBench(): Promise<Figure[]> {
  return inScratch(async (folder) => {
    const { assembly, template } = await synthesize(join(folder, 'assembly'), undefined, {
      ...process.env,
      VIGIL_MCP: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
    });
    const variables = functionVariables(template);
    const figures: Figure[] = [];
    for (const name of (await readdir(join(assembly, 'bundles'))).sort()) {
      const file = join(assembly, 'bundles', name, 'index.js');
      const loaded = await times(loads, async () =>
        Number((await run([process.execPath, '-e', load, file], { env: variables[name]! })).output),
      );
      figures.push({
        key: `${name}KB`,
        name: `${name}, bundle`,
        value: (await stat(file)).size / 1000,
        unit: 'KB',
        bar: budgets[bundleBudget(name)].limit,
      });
      figures.push({
        key: `${name}LoadMs`,
        name: `${name}, load`,
        value: median(loaded),
        unit: 'ms',
        bar: loadBars[name],
        note: `median of ${loads}`,
      });
    }
    return figures;
  });
}
