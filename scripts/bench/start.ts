import { join } from 'node:path';
import { type Figure, inScratch, median, run, times } from './measure';

const command = ['npm', 'run', '-s', 'start'];

/**
 * Measures `npm start` until its first line, and until it is ready: with an empty state directory, and again with the
 * state of the first start.
 */
export async function startBench(): Promise<Figure[]> {
  return inScratch(async (folder) => {
    const start = (state: string) =>
      run(command, {
        env: { PORT: '0', AWS_PORT: '0', VIGIL_STATE_DIR: join(folder, state) },
        until: /Vigil runs/,
      }).then(({ ms }) => ms);
    let fresh = 0;
    const first = median(await times(3, () => start(`state-${fresh++}`)));
    const line = () => run(command, { env: { VIGIL_STATE_DIR: join(folder, 'state-0') }, until: /Starting/ });
    const firstLine = median(await times(3, async () => (await line()).ms));
    const next = median(await times(3, () => start('state-0')));
    return [
      {
        key: 'firstLineMs',
        name: 'npm start to its first line',
        value: firstLine,
        unit: 'ms',
        bar: 500,
        note: 'median of 3',
      },
      {
        key: 'firstMs',
        name: 'npm start to ready, the first time',
        value: first,
        unit: 'ms',
        note: 'with the synthesis; median of 3',
      },
      { key: 'againMs', name: 'npm start to ready, again', value: next, unit: 'ms', note: 'median of 3' },
    ];
  });
}
