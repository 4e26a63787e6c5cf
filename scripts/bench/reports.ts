import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The reports of a cloud's functions about their invocations. */
export interface Reports {
  invocations: number;
  /** Those that timed out or were killed. */
  unfinished: number;
  longestWaitMs: number;
  /** The function of that wait. */
  longestWaitOf: string;
}

export function readReports(folder: string): Reports {
  const found = { invocations: 0, unfinished: 0, longestWaitMs: 0, longestWaitOf: 'none' };
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [, waited, status] = /^REPORT .* Waited: ([\d.]+) ms Status: (\S+)/.exec(line) ?? [];
      if (!waited) continue;
      found.invocations += 1;
      if (status !== 'done' && status !== 'failed') found.unfinished += 1;
      if (Number(waited) <= found.longestWaitMs) continue;
      found.longestWaitMs = Number(waited);
      found.longestWaitOf = file.replace(/(\.1)?\.log$/, '');
    }
  }
  return found;
}
