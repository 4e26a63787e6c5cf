const { existsSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { cpuSeconds } = require('./cpu-seconds');
const endClouds = require('./end-clouds');

/** The number of files shown. */
const shown = Number(process.env.VIGIL_COSTS_SHOWN ?? 10);
/** So few files are named by Jest itself. */
const few = 10;

/** Says after a run what it cost: the most expensive files, and CPU seconds in all. */
module.exports = class CostReporter {
  onRunStart() {
    this.folder = mkdtempSync(join(tmpdir(), 'vigil-costs-'));
    // The workers inherit it.
    process.env.VIGIL_TEST_COSTS = join(this.folder, 'costs.jsonl');
  }

  async onRunComplete() {
    await endClouds();
    const costs = this.costs().sort(([, one], [, other]) => other - one);
    rmSync(this.folder, { recursive: true, force: true });
    // Jest has waited for its workers by now, so that theirs are among those of this process.
    const all = cpuSeconds();
    if (costs.length > few) {
      const rows = costs.slice(0, shown).map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)}  ${file}`);
      process.stderr.write(`\nThe most expensive files, in CPU seconds:\n${rows.join('\n')}\n`);
    }
    process.stderr.write(`CPU seconds: ${Math.round(all)}\n`);
  }

  /** A file has a line of its own, and one for each cloud that its stories shared. */
  costs() {
    const file = process.env.VIGIL_TEST_COSTS;
    if (!existsSync(file)) return [];
    const costs = new Map();
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const [name, seconds] = JSON.parse(line);
      costs.set(name, (costs.get(name) ?? 0) + seconds);
    }
    return [...costs];
  }
};
