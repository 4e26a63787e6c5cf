import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembly } from './assembly';

interface Statement {
  Action: string | string[];
}
export interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
}

/** Copies the scenarios' deployment and changes its template. */
export function changedAssembly(change: (template: Template) => void): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-assembly-'));
  cpSync(assembly, folder, { recursive: true });
  const file = join(folder, 'Vigil.template.json');
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  change(template);
  writeFileSync(file, JSON.stringify(template));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Removes an action from every policy of the roles whose logical id has this prefix. @throws if none had it. */
export function revoke({ Resources }: Template, role: string, action: string): void {
  let found = 0;
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== 'AWS::IAM::Policy') continue;
    const { Roles, PolicyDocument } = Properties as {
      Roles: { Ref: string }[];
      PolicyDocument: { Statement: Statement[] };
    };
    if (!Roles.some(({ Ref }) => Ref.startsWith(role))) continue;
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
