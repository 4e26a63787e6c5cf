import { type Row, rowCheck } from '../../../core/conversations/check/check-rows';
import type { Finding } from '../../../core/conversations/check/finding';
import { newCode } from './new-code';
import { clientOf, refusalOf, stageOf } from './stage';
import { type Read, readStored } from './stored-rows';

/** Findings of a family that are listed each; the others are counted. */
const mostListed = 20;

export interface CheckOptions {
  stack?: string;
  table?: string;
  assembly?: string;
  app?: string;
  all: boolean;
  sample: string;
  units: string;
}

/**
 * Checks stored rows against the code that is to be deployed, and says what would break or change. It writes nothing.
 *
 * @returns whether nothing would break.
 * @throws Error in one line if it could not look.
 */
export async function check(
  { stack, table, assembly, app, all, ...numbers }: CheckOptions,
  say: (text: string) => void,
  now = new Date(),
): Promise<boolean> {
  const sample = all ? undefined : count('--sample', numbers.sample);
  const units = count('--units', numbers.units);
  const stage = await stageOf(table);
  const code = await newCode({ assembly, command: app, stack: stack ?? stage.stack });
  const report = reportTo(say);
  const client = clientOf(stage.settings);
  try {
    let own = 0;
    const reader = () => {
      const checked = rowCheck(code, now);
      return (row: Row) => {
        const found = checked(row);
        if (!found) own += 1;
        for (const one of found ?? []) report.add(one);
      };
    };
    const read = await readStored({ client, table: stage.table, sample, units }, reader).catch((error: unknown) => {
      const refusal = refusalOf(error, stage.table);
      throw refusal === undefined ? error : new Error(refusal, { cause: error });
    });
    const sums = report.end();
    say(summary(read, own, sums));
    return sums.breaks === 0;
  } finally {
    client.destroy();
  }
}

function count(name: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new Error(`${name} is "${value}": it must be a whole number of at least 1.`);
}

const labels = { breaks: 'BREAKS ', changes: 'changes' };

function reportTo(say: (text: string) => void) {
  const families = new Map<string, { finding: Finding; times: number }>();
  const sums = { breaks: 0, changes: 0 };
  return {
    add(finding: Finding): void {
      const { verdict, kind, field, happens, todo } = finding;
      sums[verdict] += 1;
      const name = [verdict, kind, field, happens].join('\n');
      const family = families.get(name) ?? { finding, times: 0 };
      families.set(name, family);
      family.times += 1;
      if (family.times <= mostListed) say(`${labels[verdict]} ${placeOf(finding)}: ${field}: ${happens}; ${todo}.`);
    },
    end() {
      for (const { finding, times } of families.values())
        if (times > mostListed)
          say(
            `${labels[finding.verdict]} ${times - mostListed} more of ${finding.kind}: ${finding.field}: ${finding.happens}.`,
          );
      return sums;
    },
  };
}

const placeOf = ({ kind, id, conversationId }: Finding): string =>
  [kind, id, conversationId && `of ${conversationId}`].filter(Boolean).join(' ');

function summary(
  { rows, open, isAllOpen, isWholeTable }: Read,
  own: number,
  sums: Record<Finding['verdict'], number>,
): string {
  const whole = (value: number) => value.toLocaleString('en-US');
  const what = isWholeTable
    ? 'all rows'
    : `a sample: ${isAllOpen ? 'all' : 'not all'} conversations in which something is open (${whole(open)}), and others. --all reads the whole table`;
  const ofTools = own > 0 ? ` Not checked: tools' own rows, ${whole(own)}.` : '';
  return `Checked ${whole(rows)} rows, ${what}.${ofTools} With this code, ${whole(sums.breaks)} would break, ${whole(sums.changes)} would change.`;
}
