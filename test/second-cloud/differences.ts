import type { Resource, Template } from '../support/template-rights';

/** What MiniStack 1.5.33 lacks, and the change of the template for it. */
interface Difference {
  /** What is missing, and what is therefore not shown. */
  reason: string;
  /** Changes the template. @returns the number of places that it has changed. */
  apply(template: Template, endpoint: string): number;
}

interface Statement {
  Principal: { Service?: string };
  Condition?: Record<string, Record<string, unknown>>;
}

/**
 * All changes of the template. A test fails if one of them finds nothing to change, so none stays without need. The deployment fails
 * if one is missing.
 */
export const differences: Difference[] = [
  {
    reason:
      'AWS::ApiGatewayV2::RouteResponse is an unrecognized resource type. A frame is answered without it, so one that is missing would not show.',
    apply: removing(({ Type }) => Type === 'AWS::ApiGatewayV2::RouteResponse'),
  },
  {
    reason:
      'Custom::CDKBucketDeployment calls /opt/awscli/aws, which is in a layer. Layers are at /opt with Docker only. So the page is not copied.',
    apply: removing(({ Type }) => Type === 'Custom::CDKBucketDeployment'),
  },
  {
    reason:
      "CloudFront reads a bucket without TLS, which the policy of the page's bucket denies. On AWS it reads by the viewer's protocol, HTTPS.",
    apply: ({ Resources }) => {
      let removed = 0;
      for (const { Type, Properties } of Object.values(Resources)) {
        if (Type !== 'AWS::S3::BucketPolicy') continue;
        const policy = Properties.PolicyDocument as { Statement: Statement[] };
        if (!policy.Statement.some(({ Principal }) => Principal.Service === 'cloudfront.amazonaws.com')) continue;
        const kept = policy.Statement.filter(({ Condition }) => !Condition?.Bool?.['aws:SecureTransport']);
        removed += policy.Statement.length - kept.length;
        policy.Statement = kept;
      }
      return removed;
    },
  },
  {
    reason: 'AWS::CloudWatch::Alarm has no metric math. No alarm rings in a story.',
    apply: removing(({ Type, Properties }) => Type === 'AWS::CloudWatch::Alarm' && Properties.Metrics !== undefined),
  },
  {
    reason: 'AWS::Cognito::UserPool has no attribute ProviderURL. Its text is written out, as Cognito documents it.',
    apply: ({ Resources }) =>
      replacing(Resources, ({ 'Fn::GetAtt': attribute }) => {
        if (!Array.isArray(attribute) || attribute[1] !== 'ProviderURL') return undefined;
        const parts = ['https://cognito-idp.', { Ref: 'AWS::Region' }, '.amazonaws.com/', { Ref: attribute[0] }];
        return { 'Fn::Join': ['', parts] };
      }),
  },
  {
    reason:
      'A WebSocket API is at a path of the endpoint, not at a host of AWS: for clients, and for the management API.',
    apply: ({ Resources }, endpoint) => {
      const api = Object.keys(Resources).find((id) => Resources[id]!.Properties.ProtocolType === 'WEBSOCKET');
      const address = (base: string) => ({ 'Fn::Join': ['', [`${base}/_aws/execute-api/`, { Ref: api }, '/live']] });
      const addresses = { LIVE_CONNECTIONS_URL: address(endpoint), LIVE_URL: address(endpoint.replace('http', 'ws')) };
      return replacing(Resources, (value) => {
        const named = Object.entries(addresses).filter(([name]) => Object.hasOwn(value, name));
        return named.length > 0 ? { ...value, ...Object.fromEntries(named) } : undefined;
      });
    },
  },
];

/** Removes resources, and their names in DependsOn. */
function removing(isLacking: (resource: Resource) => boolean): Difference['apply'] {
  return ({ Resources }) => {
    const lacking = Object.keys(Resources).filter((id) => isLacking(Resources[id]!));
    for (const id of lacking) delete Resources[id];
    for (const resource of Object.values(Resources))
      if (resource.DependsOn) resource.DependsOn = [resource.DependsOn].flat().filter((id) => !lacking.includes(id));
    return lacking.length;
  };
}

/** Replaces objects at any depth. */
function replacing(
  resources: Template['Resources'],
  replacement: (value: Record<string, unknown>) => Record<string, unknown> | undefined,
): number {
  let replaced = 0;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const other = replacement(value as Record<string, unknown>);
    if (!other) return walkFields(value);
    replaced += 1;
    return other;
  };
  const walkFields = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, walk(inner)]));
  for (const resource of Object.values(resources)) resource.Properties = walkFields(resource.Properties);
  return replaced;
}
