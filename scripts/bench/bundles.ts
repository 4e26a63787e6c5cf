import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { functionVariables } from '../../infra/bundling/function-variables';
import { synthesize } from '../../infra/synth';
import { type Figure, inScratch, median, run, times } from './measure';

/** Limits in kilobytes and, for functions that users wait for, in milliseconds on Node 20. */
const bars: Record<string, { kilobytes: number; loadMs?: number }> = {
  CallModel: { kilobytes: 650, loadMs: 60 },
  Api: { kilobytes: 650 },
  Mcp: { kilobytes: 600 },
  Notify: { kilobytes: 610 },
  Telemetry: { kilobytes: 605 },
  RunIsolated: { kilobytes: 520 },
  ScrapeWebsite: { kilobytes: 700 },
  RunCode: { kilobytes: 1_050 },
};
const otherBar = { kilobytes: 500, loadMs: undefined };
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
      const { kilobytes, loadMs } = bars[name] ?? otherBar;
      const loaded = await times(loads, async () =>
        Number((await run([process.execPath, '-e', load, file], { env: variables[name]! })).output),
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
