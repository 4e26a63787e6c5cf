const { readFileSync } = require('node:fs');

/**
 * CPU seconds that this process has taken, with those of its children that have ended and were waited for, and of theirs.
 * Only Linux tells the latter: elsewhere it is this process alone.
 */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + ofChildren();
}

/** The kernel counts in ticks, of which every Linux that Node runs on has a hundred a second. */
const ticksPerSecond = 100;

function ofChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name before the last bracket may have anything in it. The fields cutime and cstime: see proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return 0;
  }
}

module.exports = { cpuSeconds };
