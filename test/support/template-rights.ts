/** The part of a synthesized template that the tests read. */
export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DependsOn?: string | string[];
  Metadata?: Record<string, unknown>;
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}

/**
 * Returns every right of every role as `action on resource`, and `of B#*` for partitions of a table, by the id of the
 * function or state machine that assumes it.
 */
export function rights(template: Template): Record<string, string[]> {
  const roles = Object.entries(template.Resources).flatMap(
    ([
      id,
      {
        Properties: { Role, RoleArn },
      },
    ]) => {
      const role = Role ?? RoleArn;
      return role ? [{ id, role: text(role).replace('.Arn', '') }] : [];
    },
  );
  return Object.fromEntries(roles.map(({ id, role }) => [id, statementsOf(template, role).flatMap(granted).sort()]));
}

interface Policy {
  PolicyDocument: { Statement: Statement[] };
}

/** Returns the policies in a role and beside it. */
export function policiesOf({ Resources }: Pick<Template, 'Resources'>, role: string): Policy[] {
  const beside = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::IAM::Policy')
    .map(({ Properties }) => Properties as unknown as Policy & { Roles: unknown[] });
  const inside = (Resources[role]?.Properties.Policies ?? []) as Policy[];
  return [...inside, ...beside.filter(({ Roles }) => Roles.map(text).includes(role))];
}

const statementsOf = (template: Template, role: string): Statement[] =>
  policiesOf(template, role).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

const granted = ({ Effect, Action, Resource, Condition }: Statement): string[] =>
  [Action].flat().flatMap((action) => {
    const on = Array.isArray(Resource) ? Resource : [Resource];
    const keys = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
    const of = keys ? ` of ${[keys].flat().join(', ')}` : '';
    return on.map((resource) => `${Effect === 'Allow' ? '' : 'not '}${action} on ${text(resource)}${of}`);
  });

/** Returns a value with its references as text: `{Ref: A}` is `A`, `{Fn::GetAtt: [A, Arn]}` is `A.Arn`. */
export function text(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, unknown>;
  if (Ref) return String(Ref);
  if (attribute) return (attribute as string[]).join('.');
  if (join) {
    const [separator, parts] = join as [string, unknown[]];
    return parts.map(text).join(separator);
  }
  return JSON.stringify(value);
}
