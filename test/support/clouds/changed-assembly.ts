import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policiesOf } from '../template-rights';
import { assembly } from './assembly';

export interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
}

const folders: string[] = [];
// Not in the story: until its cloud has ended, that cloud still writes compiled code there.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Copies the scenarios' deployment, for as long as the test file runs, and changes its template. @returns the folder */
export function changedAssembly(change: (template: Template) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-assembly-'));
  folders.push(folder);
  cpSync(assembly, folder, { recursive: true });
  const file = join(folder, 'Vigil.template.json');
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  change(template);
  writeFileSync(file, JSON.stringify(template));
  return folder;
}

/** Removes an action from every policy of the roles whose logical id has this prefix. @throws if none had it. */
export function revoke({ Resources }: Template, role: string, action: string): void {
  let found = 0;
  const roles = Object.keys(Resources).filter((id) => id.startsWith(role));
  for (const { PolicyDocument } of roles.flatMap((id) => policiesOf({ Resources }, id))) {
    for (const statement of PolicyDocument.Statement) {
      const actions = [statement.Action].flat();
      if (!actions.includes(action)) continue;
      found++;
      statement.Action = actions.filter((one) => one !== action);
    }
    PolicyDocument.Statement = PolicyDocument.Statement.filter((statement) => statement.Action.length > 0);
  }
  if (found === 0) throw new Error(`No role ${role}… may ${action}.`);
}
