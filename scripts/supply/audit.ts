import { execFile } from 'node:child_process';

/** `not run` is neither good nor bad news: the registry has no such service, or cannot be reached. */
export interface Audit {
  verdict: 'passed' | 'failed' | 'not run';
  words: string;
}

interface Report {
  /** Of an audit that could not run. */
  message?: string;
  vulnerabilities?: Record<string, { severity: string; range: string; via: (string | { title: string })[] }>;
}

/** Less than that is shown by `npm audit`, and stops nothing. */
const serious = ['moderate', 'high', 'critical'];

/**
 * Asks the registry for known vulnerabilities of every package in the lock file. The page's packages and the tools that
 * build it are development dependencies, so these count as well.
 */
export async function audit(folder: string, options: string[] = []): Promise<Audit> {
  const report = await npmAudit(folder, options);
  if (!report?.vulnerabilities)
    return { verdict: 'not run', words: report?.message ?? 'npm audit gave no answer that can be read' };
  const found = Object.entries(report.vulnerabilities).filter(([, { severity }]) => serious.includes(severity));
  if (found.length === 0) return { verdict: 'passed', words: 'no known vulnerability' };
  const lines = found.map(([name, { severity, range, via }]) => {
    const why = via.map((one) => (typeof one === 'string' ? `by ${one}` : one.title)).join('; ');
    return `${name} ${range} (${severity}): ${why}`;
  });
  return { verdict: 'failed', words: lines.join('\n') };
}

/** npm ends with 1 both for a vulnerability and for a registry that does not answer. */
function npmAudit(cwd: string, options: string[]): Promise<Report | undefined> {
  return new Promise((resolve) => {
    execFile('npm', ['audit', '--json', ...options], { cwd, maxBuffer: 64_000_000 }, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Report);
      } catch {
        resolve(undefined);
      }
    });
  });
}
