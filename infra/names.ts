import { createHash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

const longestRegion = 16;

/**
 * Returns a physical name that no other stack of the account has in this region. Most names are left to CloudFormation;
 * this is for resources that it does not name.
 */
export function nameInRegion(scope: Construct, what: string, longest: number): string {
  const stack = outermost(Stack.of(scope));
  const digest = createHash('sha256')
    .update(`${stack.stackName}/${Stack.of(scope).node.path}`)
    .digest('hex')
    .slice(0, 8);
  // The name of a stack is ASCII.
  return `${stack.stackName.slice(0, longest - what.length - digest.length - 2)}-${what}-${digest}`;
}

/** Returns a physical name for a resource of CloudFront, whose names are shared by all regions. */
export const nameInAllRegions = (scope: Construct, what: string, longest: number): string =>
  `${nameInRegion(scope, what, longest - longestRegion - 1)}-${Stack.of(scope).region}`;

/** The name of a nested stack is not known before it is deployed. */
const outermost = (stack: Stack): Stack => (stack.nestedStackParent ? outermost(stack.nestedStackParent) : stack);
