import type { Resource } from '../template/template';

/** Returns the function with this name or ARN, with or without a version. */
export function findFunction(functions: readonly Resource[], nameOrArn: string): Resource | undefined {
  const name = bareName(nameOrArn);
  return functions.find(({ ref }) => ref === name);
}

export function bareName(nameOrArn: string): string {
  const arn = /^(?:arn:aws:lambda:[^:]+:\d+:)?(?:\d+:)?function:([^:]+)/.exec(nameOrArn);
  return arn?.[1] ?? nameOrArn.split(':')[0] ?? '';
}
