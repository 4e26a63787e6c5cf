import { join } from 'node:path';
import { type Figure, inScratch, median, run, times } from './measure';

/** `npm start` until it says that it is ready: with an empty state directory, and again with what the first start left. */
export async function startBench(): Promise<Figure[]> {
  return inScratch(async (folder) => {
    const start = (state: string) =>
      run(['npm', 'run', '-s', 'start'], {
        env: { PORT: '0', AWS_PORT: '0', VIGIL_STATE_DIR: join(folder, state) },
        until: /Vigil runs/,
      }).then(({ ms }) => ms);
    let fresh = 0;
    const first = median(await times(3, () => start(`state-${fresh++}`)));
    const next = median(await times(3, () => start('state-0')));
    return [
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
