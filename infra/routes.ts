import { CfnRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';

/** Has the routes of an API created one after the other: created together, one of them may be refused as a concurrent change. */
export function oneAfterTheOther(api: Construct): CfnRoute[] {
  const routes = api.node.findAll().filter((one) => one instanceof CfnRoute);
  for (const [at, route] of routes.entries()) if (at > 0) route.addResourceDependency(routes[at - 1]!);
  return routes;
}
