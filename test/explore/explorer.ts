import { output } from '../../runtime/log';
import { explore } from './explore';
import type { Part } from './processes';

// Its output is what it says at the end.
output.write = () => undefined;

/** The process that plays some schedules and says what became of them. */
async function main([first, count, enough]: number[]): Promise<void> {
  const { met, ...explored } = await explore(first!, count!, enough);
  const { user, system } = process.cpuUsage();
  const part: Part = { ...explored, met: [...met], cpuSeconds: (user + system) / 1e6 };
  process.stdout.write(JSON.stringify(part));
}

void main(process.argv.slice(2).map(Number));
