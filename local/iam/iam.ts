import { AwsError } from '../aws/aws-error';
import type { Resource, Template } from '../template/template';
import { type ConditionContext, conditionsHold, matchesPattern } from './conditions';
import { policiesByRole, type Statement } from './policies';

/** A role in use. The session is the function's name, or the name that AWS would generate for a service. */
export interface Principal {
  roleArn: string;
  session: string;
}

interface AccessRequest {
  principal: Principal;
  /** `dynamodb:PutItem` */
  action: string;
  /** An ARN, or `*` for actions without resources. */
  resource: string;
  /** The partition keys that a request to DynamoDB names. */
  leadingKeys?: readonly string[];
}

/**
 * Checks calls against the policies of the template's roles. An explicit deny takes precedence, and without an allow
 * the call is denied.
 */
export interface Iam {
  /**
   * @throws AccessDeniedException in AWS's words.
   */
  authorize(request: AccessRequest): void;
  allows(request: AccessRequest): boolean;
  /**
   * Whether a function's resource policy lets an AWS service invoke it on behalf of `sourceArn`.
   * https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html
   */
  mayInvoke(service: string, functionArn: string, sourceArn: string): boolean;
}

export function openIam(template: Template): Iam {
  const policies = policiesByRole(template);
  const permissions = template.ofType('AWS::Lambda::Permission');

  const evaluate = (request: AccessRequest): 'allowed' | 'denied' | 'not allowed' => {
    const { principal, action, resource } = request;
    const context = contextOf(request);
    const matching = (policies.get(principal.roleArn) ?? []).filter(
      (statement) => covers(statement, action, resource) && conditionsHold(statement.conditions, context),
    );
    if (matching.some(({ effect }) => effect === 'Deny')) return 'denied';
    return matching.length ? 'allowed' : 'not allowed';
  };

  const contextOf = ({ principal, resource, leadingKeys = [] }: AccessRequest): ConditionContext => ({
    'aws:PrincipalAccount': template.place.accountId,
    'aws:PrincipalArn': principal.roleArn,
    'aws:RequestedRegion': template.place.region,
    'aws:ResourceAccount': resource.split(':')[4] || template.place.accountId,
    'aws:SecureTransport': 'true',
    'dynamodb:LeadingKeys': leadingKeys,
  });

  return {
    allows: (request) => evaluate(request) === 'allowed',
    authorize(request) {
      const verdict = evaluate(request);
      if (verdict !== 'allowed')
        throw new AwsError('AccessDeniedException', refusal(request, verdict === 'denied'), 400);
    },
    mayInvoke: (service, functionArn, sourceArn) =>
      permissions.some((permission) => permits(permission, service, functionArn, sourceArn)),
  };
}

function covers(statement: Statement, action: string, resource: string): boolean {
  // Actions are case-insensitive, resources are case-sensitive.
  const isAction = (pattern: string) => matchesPattern(action.toLowerCase(), pattern.toLowerCase());
  const isResource = (pattern: string) => matchesPattern(resource, pattern);
  const actionCovered = statement.action ? statement.action.some(isAction) : !statement.notAction?.some(isAction);
  const resourceCovered = statement.resource
    ? statement.resource.some(isResource)
    : !statement.notResource?.some(isResource);
  return actionCovered && resourceCovered;
}

function refusal({ principal, action, resource }: AccessRequest, explicit: boolean): string {
  const user = principal.roleArn.replace(':iam::', ':sts::').replace(':role/', ':assumed-role/');
  const reason = explicit
    ? 'with an explicit deny in an identity-based policy'
    : `because no identity-based policy allows the ${action} action`;
  return `User: ${user}/${principal.session} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}

function permits({ properties }: Resource, service: string, functionArn: string, sourceArn: string): boolean {
  const { Action, FunctionName, Principal, SourceArn } = properties;
  const names = functionArn === FunctionName || functionArn.endsWith(`:function:${FunctionName}`);
  const acts = Action === 'lambda:InvokeFunction' || Action === 'lambda:*';
  return (
    names && acts && Principal === service && (SourceArn === undefined || matchesPattern(sourceArn, String(SourceArn)))
  );
}
