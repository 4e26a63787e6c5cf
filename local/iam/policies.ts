import type { Template } from '../template/template';
import { assertConditions, type Conditions } from './conditions';

/** A policy statement in which every list is an array. */
export interface Statement {
  effect: 'Allow' | 'Deny';
  action?: readonly string[];
  notAction?: readonly string[];
  resource?: readonly string[];
  notResource?: readonly string[];
  conditions: Conditions;
}

interface RawStatement {
  Effect?: string;
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Conditions;
  Sid?: string;
}

/** AWS's managed policies that a stack may attach, with the statements that matter here. */
const managedByAws: Readonly<Record<string, readonly Statement[]>> = {
  'service-role/AWSLambdaBasicExecutionRole': [
    allow('logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'),
  ],
  'service-role/AWSLambdaDynamoDBExecutionRole': [
    allow('logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'),
    allow('dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'),
  ],
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs': [
    allow('logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:DescribeLogGroups', 'logs:DescribeLogStreams'),
    allow('logs:FilterLogEvents', 'logs:GetLogEvents', 'logs:PutLogEvents'),
  ],
  AWSXRayDaemonWriteAccess: [allow('xray:PutTraceSegments', 'xray:PutTelemetryRecords')],
};

const known = new Set(['Sid', 'Effect', 'Action', 'NotAction', 'Resource', 'NotResource', 'Condition']);

/** Returns every role's statements, by the role's ARN: from inline, attached and managed policies. */
export function policiesByRole(template: Template): Map<string, Statement[]> {
  const roles = template.ofType('AWS::IAM::Role');
  const byName = new Map(roles.map((role) => [role.ref, role.attributes.Arn ?? '']));
  const policies = new Map<string, Statement[]>(roles.map((role) => [role.attributes.Arn ?? '', []]));
  const managed = new Map(template.ofType('AWS::IAM::ManagedPolicy').map((policy) => [policy.ref, policy]));

  for (const role of roles) {
    const own = policies.get(role.attributes.Arn ?? '') ?? [];
    for (const inline of (role.properties.Policies ?? []) as { PolicyDocument: unknown }[]) {
      own.push(...statementsOf(inline.PolicyDocument, role.logicalId));
    }
    for (const arn of (role.properties.ManagedPolicyArns ?? []) as string[]) {
      const policy = managed.get(arn);
      own.push(
        ...(policy ? statementsOf(policy.properties.PolicyDocument, policy.logicalId) : ofAws(arn, role.logicalId)),
      );
    }
  }
  for (const policy of [...template.ofType('AWS::IAM::Policy'), ...managed.values()]) {
    const statements = statementsOf(policy.properties.PolicyDocument, policy.logicalId);
    for (const name of (policy.properties.Roles ?? []) as string[])
      policies.get(byName.get(name) ?? '')?.push(...statements);
  }
  return policies;
}

function statementsOf(document: unknown, where: string): Statement[] {
  const given = (document as { Statement?: RawStatement | RawStatement[] }).Statement ?? [];
  return [given].flat().map((raw) => {
    const unknown = Object.keys(raw).find((key) => !known.has(key));
    if (unknown) throw new Error(`The local cloud does not support ${unknown} in a policy statement (${where}).`);
    assertConditions(raw.Condition ?? {}, where);
    return {
      effect: raw.Effect === 'Deny' ? 'Deny' : 'Allow',
      action: listOf(raw.Action),
      notAction: listOf(raw.NotAction),
      resource: listOf(raw.Resource),
      notResource: listOf(raw.NotResource),
      conditions: raw.Condition ?? {},
    };
  });
}

function listOf(given: string | string[] | undefined): string[] | undefined {
  return given === undefined ? undefined : [given].flat();
}

function ofAws(arn: string, where: string): readonly Statement[] {
  const statements = managedByAws[arn.replace(/^arn:aws:iam::aws:policy\//, '')];
  if (statements) return statements;
  throw new Error(`The local cloud does not know the managed policy ${arn} (${where}).`);
}

function allow(...action: string[]): Statement {
  return { effect: 'Allow', action, resource: ['*'], conditions: {} };
}
