import {
  ListFunctionsCommand,
  ListOriginAccessControlsCommand,
  ListResponseHeadersPoliciesCommand,
} from '@aws-sdk/client-cloudfront';
import { DescribeResourcePoliciesCommand } from '@aws-sdk/client-cloudwatch-logs';
import { paginateListUserPools } from '@aws-sdk/client-cognito-identity-provider';
import type { Planned } from './checks';
import type { Clients } from './clients';
import { type Finding, fails, limits, ok } from './finding';

/** The policy by which services write logs of theirs. Whatever creates the first such log adds it. */
const delivery = 'AWSLogDeliveryWrite20150319';
/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html */
const policiesOfRegion = 10;

/** Step Functions and API Gateway write their logs by a resource policy, of which a region has ten. */
export async function logPolicies({ logs }: Clients): Promise<Finding[]> {
  const { resourcePolicies = [] } = await logs.send(new DescribeResourcePoliciesCommand({}));
  const names = resourcePolicies.map(({ policyName }) => policyName);
  if (names.length < policiesOfRegion || names.includes(delivery))
    return [ok(`CloudWatch Logs: ${names.length} of ${policiesOfRegion} resource policies`)];
  return [
    fails(
      `CloudWatch Logs: all ${policiesOfRegion} resource policies of the region are used, and ${delivery} is not among them: delete one that nothing needs (aws logs describe-resource-policies).`,
    ),
  ];
}

/**
 * What the page needs of CloudFront, and how many an account may have.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
 */
const ofPage = { policies: 1, functions: 2, accessControls: 1 };
const ofAccount = { policies: 20, functions: 100, accessControls: 100 };

export async function cloudFrontQuotas({ cloudFront }: Clients): Promise<Finding[]> {
  const [policies, functions, accessControls] = await Promise.all([
    cloudFront.send(new ListResponseHeadersPoliciesCommand({ Type: 'custom', MaxItems: ofAccount.policies })),
    cloudFront.send(new ListFunctionsCommand({ MaxItems: ofAccount.functions })),
    cloudFront.send(new ListOriginAccessControlsCommand({ MaxItems: ofAccount.accessControls })),
  ]);
  const used = {
    policies: policies.ResponseHeadersPolicyList?.Quantity ?? 0,
    functions: functions.FunctionList?.Quantity ?? 0,
    accessControls: accessControls.OriginAccessControlList?.Quantity ?? 0,
  };
  const words = {
    policies: 'response headers policies',
    functions: 'functions',
    accessControls: 'origin access controls',
  };
  return (Object.keys(used) as (keyof typeof used)[]).map((kind) => {
    const what = `CloudFront: ${used[kind]} of ${ofAccount[kind]} ${words[kind]}`;
    if (used[kind] + ofPage[kind] <= ofAccount[kind]) return ok(what);
    return limits(
      `${what}: the page needs ${ofPage[kind]} more, unless your quota is higher: ask for more in Service Quotas, or deploy with VIGIL_PAGE=none.`,
    );
  });
}

/** https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html */
const poolsOfRegion = 1_000;

export async function userPools({ cognito: client }: Clients): Promise<Finding[]> {
  let pools = 0;
  for await (const { UserPools = [] } of paginateListUserPools({ client }, { MaxResults: 60 }))
    pools += UserPools.length;
  const what = `Cognito: ${pools} of ${poolsOfRegion} user pools`;
  if (pools < poolsOfRegion) return [ok(what)];
  return [limits(`${what}: ask for more in Service Quotas, or give the construct “auth”.`)];
}

/** Returns what is missing in whole partitions. */
export function regionHas({ region, page }: Planned): Finding[] {
  const partition = /^(cn|us-gov)-/.exec(region)?.[1];
  if (!partition) return [];
  const findings: Finding[] = [];
  if (page) findings.push(fails(`CloudFront: it is not in ${region}: deploy with VIGIL_PAGE=none.`));
  if (partition === 'cn') findings.push(fails(`Cognito: ${region} has no user pools: give the construct “auth”.`));
  return findings;
}
