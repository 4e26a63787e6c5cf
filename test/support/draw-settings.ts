import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Setting, type SettingOfModule, settingsTable } from '../../infra/settings-table';

export const file = join(__dirname, '../../docs/settings.md');

const section = /^<!-- settings: (\w+) -->\n(?:\|.*\n)*/gm;

/** Returns the page with the tables of `infra/settings-table.ts` after their comments. */
export const drawn = (page: string): string =>
  page.replace(section, (_, name: keyof typeof settingsTable) => `<!-- settings: ${name} -->\n${tableOf(name)}`);

export const sectionsOf = (page: string): string[] => [...page.matchAll(section)].map(([, name]) => name!);

function tableOf(name: keyof typeof settingsTable): string {
  const rows: (Setting & SettingOfModule)[] = settingsTable[name];
  const hasProps = rows.some(({ prop, option }) => prop ?? option);
  const line = ({ variable, prop, option, sets, byDefault }: Setting & SettingOfModule) => {
    const called = prop ?? option;
    return [`\`${variable}\``, ...(hasProps ? [called ? `\`${called}\`` : ''] : []), sets, byDefault];
  };
  const head = ['variable', ...(hasProps ? ['prop'] : []), 'what it sets', 'default'];
  return [head, head.map(() => '---'), ...rows.map(line)].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

if (require.main === module) writeFileSync(file, drawn(readFileSync(file, 'utf8')));
